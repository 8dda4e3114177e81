import type { BrowserType, LaunchOptions, Page } from '@playwright/test'
import { neverVisited } from './visits.ts'

/** What the specs of all engines do to a page, by the roles and names that a person hears, whatever speaks to the browser. */
export interface Tab {
  open(address: string): Promise<void>
  press(role: Role, name: string | RegExp): Promise<void>
  fill(role: Role, name: string | RegExp, value: string): Promise<void>
  select(name: string, value: string): Promise<void>
  /** What is read there, of the first that is seen; null where none is seen. */
  text(role: Role, name?: string | RegExp): Promise<string | null>
  value(role: Role, name: string | RegExp): Promise<string>
  names(role: Role): Promise<readonly string[]>
  /** What an expression comes to in the page. A promise is waited for. */
  evaluate<T>(expression: string): Promise<T>
  /** How many threads the page has started that are still there. */
  workers(): Promise<number>
  close(): Promise<void>
}

export type Role = 'alert' | 'article' | 'button' | 'group' | 'heading' | 'menuitem' | 'radio' | 'region' | 'slider' | 'spinbutton' | 'status' | 'textbox'

export interface Engine {
  /** A tab as of a browser that was never used before. */
  tab(baseURL: string): Promise<Tab>
  close(): Promise<void>
}

export async function openByPlaywright(type: BrowserType, options: LaunchOptions): Promise<Engine> {
  const browser = await type.launch(options)
  return {
    async tab(baseURL) {
      const context = await browser.newContext({ baseURL, serviceWorkers: 'block', storageState: neverVisited })
      return tabOf(await context.newPage())
    },
    close: () => browser.close(),
  }
}

function tabOf(page: Page): Tab {
  const of = (role: Role, name?: string | RegExp) =>
    page
      .getByRole(role, name === undefined ? {} : { name, exact: true })
      .filter({ visible: true })
      .first()
  return {
    async open(address) {
      // A mere change of the fragment would not load the page again.
      await page.goto('about:blank')
      await page.goto(address)
    },
    press: (role, name) => of(role, name).click(),
    fill: (role, name, value) => of(role, name).fill(value),
    async select(name, value) {
      await page.getByRole('combobox', { name, exact: true }).selectOption(value)
    },
    text: async (role, name) => ((await of(role, name).count()) === 0 ? null : of(role, name).innerText()),
    value: (role, name) => of(role, name).inputValue(),
    names: (role) => page.getByRole(role).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? '')),
    evaluate: (expression) => page.evaluate(expression),
    workers: async () => page.workers().length,
    close: () => page.context().close(),
  }
}
