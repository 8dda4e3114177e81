import type { BrowserType, LaunchOptions, Page } from '@playwright/test'
import { neverVisited } from './visits.ts'

/** The actions of the specs of all engines on a page, by the roles and names that a screen reader reads, for any driver. */
export interface Tab {
  open(address: string): Promise<void>
  press(role: Role, name: string | RegExp): Promise<void>
  fill(role: Role, name: string | RegExp, value: string): Promise<void>
  select(name: string, value: string): Promise<void>
  /** The text of the first visible element; null if there is none. */
  text(role: Role, name?: string | RegExp): Promise<string | null>
  value(role: Role, name: string | RegExp): Promise<string>
  names(role: Role): Promise<readonly string[]>
  /** The value of an expression in the page. A promise is awaited. */
  evaluate<T>(expression: string): Promise<T>
  /** How many threads of the page still exist. */
  workers(): Promise<number>
  close(): Promise<void>
}

export type Role =
  | 'alert'
  | 'article'
  | 'button'
  | 'group'
  | 'heading'
  | 'menuitem'
  | 'radio'
  | 'region'
  | 'slider'
  | 'spinbutton'
  | 'status'
  | 'textbox'

export interface Engine {
  /** A tab of a new browser. */
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
      // A change of the fragment alone would not load the page again.
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
    names: (role) =>
      page
        .getByRole(role)
        .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? '')),
    evaluate: (expression) => page.evaluate(expression),
    workers: async () => page.workers().length,
    close: () => page.context().close(),
  }
}
