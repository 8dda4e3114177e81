import { t } from '../../../language/translate.ts'
import type { Command, HelpGroup } from './command.ts'

const titles = (): Readonly<Record<HelpGroup, string>> => ({
  playback: t('Playback'),
  timeline: t('The timeline'),
  pointer: t('With the pointer'),
  faults: t('Marks of sabotage, below the axis'),
  editing: t('Editing'),
})

/** All keys of the page, and what the pointer does on the timeline. */
export function KeyList({ commands }: { readonly commands: readonly Command[] }) {
  const lines = commands.flatMap(({ help }) => help ?? [])
  return (
    <div className="keys">
      {Object.entries(titles()).map(([group, title]) => (
        <section key={group} aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {lines.map(
              ({ group: its, keys, what }) =>
                its === group && (
                  <div key={keys}>
                    <dt>
                      {keys.split(' ').map((name) => (
                        <kbd key={name}>{name}</kbd>
                      ))}
                    </dt>
                    <dd>{what}</dd>
                  </div>
                ),
            )}
          </dl>
        </section>
      ))}
    </div>
  )
}
