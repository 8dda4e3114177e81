/** Every key of the page, and what a hand does on the timeline. */
const groups: readonly { readonly title: string; readonly keys: readonly (readonly [keys: string, what: string])[] }[] = [
  {
    title: 'Playback',
    keys: [
      ['Space', 'play or pause'],
      [', .', 'previous, next decision'],
      ['< >', 'previous, next time that a worker changes stage'],
      ['[ ]', 'step back, forward by one event'],
      ['N', 'to the next instant that playback is to stop at'],
      ['← →', 'the same, on the timeline; with Shift: move what is shown'],
      ['Home End', 'to the beginning, to the end, on the timeline'],
      ['K', 'fork the run at the playhead: go on from there otherwise'],
      ['Ctrl Enter', 'run or stop'],
      ['P', 'show the run to a room: large, by keys alone; with Ctrl: a handout on paper'],
    ],
  },
  {
    title: 'The timeline',
    keys: [
      ['W S', 'zoom in, out at the pointer, else at the playhead'],
      ['A D', 'move earlier, later'],
      ['F', 'fit the whole run'],
      ['Z', 'zoom to what is marked'],
      ['/', 'find a stage, worker or job'],
      ['Escape', 'take back the mark, then the search'],
    ],
  },
  {
    title: 'With the pointer',
    keys: [
      ['Click', 'move the playhead there, and take back the mark'],
      ['Drag', 'mark a stretch and read its figures; on the axis, or by the handle with the time: move the playhead'],
      ['Shift drag', 'mark, and leave the playhead where it is'],
      ['Finger', 'moves the playhead; marks once it has rested'],
      ['Wheel pinch', 'zoom at the pointer; with Shift or sideways: move'],
      ['Double click', 'fit the whole run'],
    ],
  },
  {
    title: 'Marks of sabotage, below the axis',
    keys: [
      ['+', 'another one where the playhead stands; with the pointer: the right button on the axis'],
      ['← →', 'on a mark: earlier, later; with Shift: ten times as far'],
      ['Enter', 'on a mark: change it in words'],
      ['Delete', 'on a mark: take it away'],
    ],
  },
  {
    title: 'Editing',
    keys: [
      ['Ctrl Z', 'undo; with Shift: redo'],
      ['Arrows', 'on a stage: along the pipeline; with Alt: its place in a line; with Shift: its place on the canvas'],
      ['Space Enter', 'on a stage: open it; rename it'],
      ['A B', 'on a stage: add one behind it; beside it, with the same stages before and behind'],
      ['C', 'on a stage: draw a link; arrows choose where to, Enter draws it'],
      ['Delete', 'on a stage: remove it; on the button of a link: remove the link'],
      ['Shift Space', 'on a stage: choose it as well; with the pointer Shift and a click, or a box drawn beside the stages'],
      ['Ctrl A', 'choose all stages'],
      ['Ctrl D', 'duplicate what is chosen'],
      ['Ctrl C X V', 'copy, cut and paste stages and the links among them, as text'],
      ['F8', 'in the text: to the next problem'],
      ['Ctrl Space', 'in the text: what may stand here; with F instead of Space: find'],
      ['Shift Alt F', 'in the text: format it'],
      ['?', 'this list'],
    ],
  },
]

export function KeyList() {
  return (
    <div className="keys">
      {groups.map(({ title, keys }) => (
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
