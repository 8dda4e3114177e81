import { say } from '../../../language/say.ts'

/** Every key of the page, and what a hand does on the timeline. */
const groups = (): readonly { readonly title: string; readonly keys: readonly (readonly [keys: string, what: string])[] }[] => [
  {
    title: say('Playback'),
    keys: [
      [say('Space'), say('play or pause')],
      [', .', say('previous, next decision')],
      ['< >', say('previous, next time that a worker changes stage')],
      ['[ ]', say('step back, forward by one event')],
      ['N', say('to the next instant that playback is to stop at')],
      ['← →', say('the same, on the timeline; with Shift: move what is shown')],
      [say('Home End'), say('to the beginning, to the end, on the timeline')],
      ['K', say('fork the run at the playhead: go on from there otherwise')],
      [say('Ctrl Enter'), say('run or stop')],
      ['P', say('show the run to a room: large, by keys alone; with Ctrl: a handout on paper')],
    ],
  },
  {
    title: say('The timeline'),
    keys: [
      ['W S', say('zoom in, out at the pointer, else at the playhead')],
      ['A D', say('move earlier, later')],
      ['F', say('fit the whole run')],
      ['Z', say('zoom to what is marked')],
      ['/', say('find a stage, worker or job')],
      ['Escape', say('take back the mark, then the search')],
    ],
  },
  {
    title: say('With the pointer'),
    keys: [
      [say('Click'), say('move the playhead there, and take back the mark')],
      [say('Drag'), say('mark a stretch and read its figures; on the axis, or by the handle with the time: move the playhead')],
      [say('Shift drag'), say('mark, and leave the playhead where it is')],
      [say('Finger'), say('moves the playhead; marks once it has rested')],
      [say('Wheel pinch'), say('zoom at the pointer; with Shift or sideways: move')],
      [say('Double click'), say('fit the whole run')],
    ],
  },
  {
    title: say('Marks of sabotage, below the axis'),
    keys: [
      ['+', say('another one where the playhead stands; with the pointer: the right button on the axis')],
      ['← →', say('on a mark: earlier, later; with Shift: ten times as far')],
      ['Enter', say('on a mark: change it in words')],
      ['Delete', say('on a mark: take it away')],
    ],
  },
  {
    title: say('Editing'),
    keys: [
      [say('Ctrl Z'), say('undo; with Shift: redo')],
      [say('Arrows'), say('on a stage: along the pipeline; with Alt: its place in a line; with Shift: its place on the canvas')],
      [say('Space Enter'), say('on a stage: open it; rename it')],
      ['A B', say('on a stage: add one behind it; beside it, with the same stages before and behind')],
      ['C', say('on a stage: draw a link; arrows choose where to, Enter draws it')],
      ['Delete', say('on a stage: remove it; on the button of a link: remove the link')],
      [say('Shift Space'), say('on a stage: choose it as well; with the pointer Shift and a click, or a box drawn beside the stages')],
      [say('Ctrl A'), say('choose all stages')],
      [say('Ctrl D'), say('duplicate what is chosen')],
      [say('Ctrl C X V'), say('copy, cut and paste stages and the links among them, as text')],
      ['F8', say('in the text: to the next problem')],
      [say('Ctrl Space'), say('in the text: what may stand here; with F instead of Space: find')],
      [say('Shift Alt F'), say('in the text: format it')],
      ['?', say('this list')],
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
