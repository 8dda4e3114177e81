import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { controlStore } from './hiddenControls.ts'
import './hide.css'

/**
 * The names of all controls that can be hidden, as in `data-control`. An element with several names is hidden by each of them; `editing` is
 * everything that changes the scenario.
 */
export const controls = [
  ...['header', 'presets', 'lessons', 'gallery', 'library', 'engine', 'policy', 'workers', 'more', 'share', 'run'],
  ...['pipeline', 'tools', 'zoom'],
  ...['transport', 'play', 'steps', 'fork', 'time', 'speed', 'breaks', 'views', 'branches'],
  ...['timeline', 'search', 'minimap', 'keys', 'sabotage'],
  ...['panels', 'decisions', 'figures', 'inspector', 'text'],
  ...['game', 'link', 'editing'],
] as const

type Control = (typeof controls)[number]

/** Names of earlier versions: they are allowed, and hide nothing. */
const gone = ['parliament']

let sheet: CSSStyleSheet | null = null
/** The controls that each caller hides. */
const hiddenBy = new Map<'address' | 'embed' | 'presenter', readonly string[]>()

/** Hides these controls. They replace those that the same caller hid before. */
export function hide(caller: 'address' | 'embed' | 'presenter', names: readonly Control[]): void {
  hiddenBy.set(caller, names)
  const hidden = [...new Set([...hiddenBy.values()].flat())]
  if (sheet === null) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  sheet.replaceSync(
    hidden.length === 0
      ? ''
      : `${hidden.map((name) => `[data-control~="${name}"]`).join()} { display: none !important }`,
  )
  // The style sheets give the free space to the other controls.
  document.documentElement.dataset.hides = hidden.join(' ')
  controlStore.setState({ hidden: new Set(hidden) })
}

/** At most this many characters of a list are read: all names together are shorter. */
const MAX_LIST = 1000

/** Returns the names in a list with commas between them, and a problem for each unknown one. */
export function readHide(list: string): { readonly names: readonly Control[]; readonly problems: readonly Problem[] } {
  const listed = list
    .slice(0, MAX_LIST)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !gone.includes(name))
  const known = (name: string): name is Control => (controls as readonly string[]).includes(name)
  const names = [...new Set(listed.filter(known))]
  const problems = listed
    .filter((name) => !known(name))
    .slice(0, 3)
    .map((name) => ({
      path: 'hide',
      message: t('“{name}” is not a control; allowed: {names}', {
        name: name.slice(0, 40),
        names: controls.join(', '),
      }),
    }))
  return { names, problems }
}
