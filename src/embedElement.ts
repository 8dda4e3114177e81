import { ApportionEmbed } from './embed/apportionEmbed.ts'

// The package's entry `apportion/embed`: the element, for pages that bundle it.
export type { EmbedCommand, EmbedEngine, EmbedEvent, EmbedProblem, EmbedState } from './embed/messages.ts'
export { ApportionEmbed }

/** Defines `<apportion-embed>`, once. `home` is the address of the built page, a folder: the package has it in `apportion/page/`. */
export function defineEmbed(home: string | URL): void {
  ApportionEmbed.home = new URL(String(home).replace(/\/?$/, '/'), document.baseURI).href
  if (customElements.get('apportion-embed') === undefined) customElements.define('apportion-embed', ApportionEmbed)
}

declare global {
  interface HTMLElementTagNameMap {
    'apportion-embed': ApportionEmbed
  }
}
