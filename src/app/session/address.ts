/** The address of a page and the history of its window. A session gets it from outside, so it can run in a page or in a test. */
export interface Address {
  read(): URL
  /** Puts a whole address or a fragment in place of the present one, or as a step after it, to which Back returns. `state` stays with it. */
  write(to: string, how: 'replace' | 'push', state?: unknown): void
  /** Returns the state of this entry of the history; null if it was given none. */
  state(): unknown
  go(by: number): void
  /** Calls `hear` when a link was followed within the page, or Back or Forward pressed. Returns an unsubscribe function. */
  onChange(hear: () => void): () => void
  /** Calls `hear` when the page is left or reloaded. Returns an unsubscribe function. */
  onLeave(hear: () => void): () => void
  /** Returns whether a pointer button is pressed. */
  pressed(): boolean
}

/** The address where there is no window: nothing is written, and nothing heard. */
export const noAddress: Address = {
  read: () => new URL('about:blank'),
  write() {},
  state: () => null,
  go() {},
  onChange: () => () => {},
  onLeave: () => () => {},
  pressed: () => false,
}

/** Returns the link that opens a fragment in this page, without what else the address asks of it. */
export function linkTo(address: Address, fragment: string): string {
  const { origin, pathname } = address.read()
  return origin + pathname + fragment
}

/** Takes an option such as `?lesson=` out of the address. */
export function dropOption(address: Address, name: string): void {
  const url = address.read()
  url.searchParams.delete(name)
  address.write(url.href, 'replace')
}
