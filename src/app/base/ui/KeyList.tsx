import { t } from '../../../language/translate.ts'

/** Every key of the page, and what a hand does on the timeline. */
const groups = (): readonly { readonly title: string; readonly keys: readonly (readonly [keys: string, what: string])[] }[] => [
  {
    title: t('Playback'),
    keys: [
      [t('Space'), t('play or pause')],
      [', .', t('previous, next decision')],
      ['< >', t('previous, next time that a worker changes stage')],
      ['[ ]', t('step back, forward by one event')],
      ['N', t('to the next instant that playback is to stop at')],
      ['← →', t('the same, on the timeline; with Shift: move what is shown')],
      [t('Home End'), t('to the beginning, to the end, on the timeline')],
      ['K', t('fork the run at the playhead: go on from there otherwise')],
      [t('Ctrl Enter'), t('run or stop')],
      ['P', t('show the run to a room: large, by keys alone; with Ctrl: a handout on paper')],
    ],
  },
  {
    title: t('The timeline'),
    keys: [
      ['W S', t('zoom in, out at the pointer, else at the playhead')],
      ['A D', t('move earlier, later')],
      ['F', t('fit the whole run')],
      ['Z', t('zoom to what is marked')],
      ['/', t('find a stage, worker or job')],
      ['Escape', t('take back the mark, then the search')],
    ],
  },
  {
    title: t('With the pointer'),
    keys: [
      [t('Click'), t('move the playhead there, and take back the mark')],
      [t('Drag'), t('mark a stretch and read its figures; on the axis, or by the handle with the time: move the playhead')],
      [t('Shift drag'), t('mark, and leave the playhead where it is')],
      [t('Finger'), t('moves the playhead; marks once it has rested')],
      [t('Wheel pinch'), t('zoom at the pointer; with Shift or sideways: move')],
      [t('Double click'), t('fit the whole run')],
    ],
  },
  {
    title: t('Marks of sabotage, below the axis'),
    keys: [
      ['+', t('another one where the playhead stands; with the pointer: the right button on the axis')],
      ['← →', t('on a mark: earlier, later; with Shift: ten times as far')],
      ['Enter', t('on a mark: change it in words')],
      ['Delete', t('on a mark: take it away')],
    ],
  },
  {
    title: t('Editing'),
    keys: [
      [t('Ctrl Z'), t('undo; with Shift: redo')],
      [t('Arrows'), t('on a stage: along the pipeline; with Alt: its place in a line; with Shift: its place on the canvas')],
      [t('Space Enter'), t('on a stage: open it; rename it')],
      ['A B', t('on a stage: add one behind it; beside it, with the same stages before and behind')],
      ['C', t('on a stage: draw a link; arrows choose where to, Enter draws it')],
      ['Delete', t('on a stage: remove it; on the button of a link: remove the link')],
      [t('Shift Space'), t('on a stage: choose it as well; with the pointer Shift and a click, or a box drawn beside the stages')],
      [t('Ctrl A'), t('choose all stages')],
      [t('Ctrl D'), t('duplicate what is chosen')],
      [t('Ctrl C X V'), t('copy, cut and paste stages and the links among them, as text')],
      ['F8', t('in the text: to the next problem')],
      [t('Ctrl Space'), t('in the text: what may stand here; with F instead of Space: find')],
      [t('Shift Alt F'), t('in the text: format it')],
      ['?', t('this list')],
    ],
  },
]

export function KeyList() {
  return (
    <div className="keys">
      {groups().map(({ title, keys }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([names, what]) => (
              <div key={names}>
                <dt>
                  {names.split(' ').map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
