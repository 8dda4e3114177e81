import { Dialog } from './Dialog.tsx'

const keys: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl Enter', 'run, or stop'],
  ['Space', 'play and pause'],
  [', .', 'to the decision before, to the next'],
  ['< >', 'to the last worker that changed stage, to the next'],
  ['[ ]', 'to the instant before, to the next'],
  ['N', 'to the next instant that meets what playback is to stop for'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
  ['+ − F', 'on the timeline: zoom, show all; arrows pan'],
  ['Arrows', 'on a stage: along the line; Space opens it, Enter renames it, A adds one, C connects, Delete removes'],
]

/** What this is, how it is held, and whose ideas it stands on. */
export function AboutDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="About Apportion" onClose={onClose}>
      <p>
        A pipeline has more stages with work waiting than there are workers: <strong>who should work where, now?</strong> Draw a pipeline, press Run, and watch
        a scheduler move the workers between its stages: in a simulation, or for real, on threads of your browser. Every decision can be opened and argued with.
        A scenario is a link, and nothing leaves your machine.
      </p>
      <section>
        <h3>Reading the picture</h3>
        <p>
          A colour is a stage. Small dots are jobs that wait; numbered discs are workers, with a ring for how far they are. The half circle is a parliament: a
          seat for each worker, in the colour of the stage it is given to, and an outline while nobody has taken it. A stage’s votes are its waiting jobs times
          what one of them is believed to take; a rule turns votes into seats.
        </p>
      </section>
      <section>
        <h3>Keys</h3>
        <dl className="keys">
          {keys.map(([name, what]) => (
            <div key={name}>
              <dt>
                <kbd>{name}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h3>Whose ideas</h3>
        <p>
          Seats after votes: Jefferson, Hamilton, Adams, Webster, Dean, Huntington and Hill, as Balinski and Young (1982) tell it; the least total time by Gross
          (1956) and Fox (1966). Backpressure: Tassiulas and Ephremides (1992). Pools that grow by threshold: SEDA, by Welsh, Culler and Brewer (2001). Theory
          beside the figures: Erlang, Pollaczek and Khinchine, Jackson, and Little (1961).
        </p>
      </section>
    </Dialog>
  )
}
