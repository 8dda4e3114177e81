/** As far as it is needed here of an API that not every browser has. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL(address: string): string }): unknown
}

/**
 * Where the host's policy asks for trusted types, only scripts of this very page can be started as threads, and no text becomes
 * markup. To be called once in every scope that starts threads: a policy does not reach from the page into a thread.
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
