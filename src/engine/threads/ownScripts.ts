/** The part used here of an API that not every browser has. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL(address: string): string }): unknown
}

/**
 * Allows only scripts of this page to be started as threads where the host's policy asks for trusted types. Call it once in
 * every thread that starts others: a policy of the page does not reach into a thread.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      const { origin } = new URL(address, location.href)
      if (origin === location.origin) return address
      throw new TypeError(`A thread must be a script of ${location.origin}, not of ${origin}.`)
    },
  })
}
