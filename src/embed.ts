import { ApportionEmbed } from './embed/apportionEmbed.ts'

// The element for other pages, built as a file of its own beside the app.
const here = import.meta.url
ApportionEmbed.home = here.slice(0, here.lastIndexOf('/') + 1)
if (customElements.get('apportion-embed') === undefined) customElements.define('apportion-embed', ApportionEmbed)
