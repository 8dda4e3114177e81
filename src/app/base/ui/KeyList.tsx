import { t } from '../../../language/translate.ts'
import type { Command, HelpGroup } from './command.ts'

export function KeyLines({ lines }: { readonly lines: readonly { readonly keys: string; readonly what: string }[] }) {
  return (
    <dl>
      {lines.map(({ keys, what }) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  )
}

export const helpTitles = (): Readonly<Record<HelpGroup, string>> => ({
  playback: t('Playback'),
  timeline: t('Timeline'),
  pointer: t('With the pointer'),
  faults: t('Injected faults, below the axis'),
  editing: t('Editing'),
})

/** All keys of the page, and what the pointer does on the timeline. */
export function KeyList({ commands }: { readonly commands: readonly Command[] }) {
  const lines = commands.flatMap(({ help }) => help ?? [])
  return (
    <div className="keys">
      {Object.entries(helpTitles()).map(([group, title]) => (
        <section key={group} aria-label={title}>
          <h3>{title}</h3>
          <KeyLines lines={lines.filter((line) => line.group === group)} />
        </section>
      ))}
    </div>
  )
}
