import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { Select } from '../../../../src/app/base/controls/Select.tsx'

test('a value keeps its type, a number stays a number, also in a list with groups', async () => {
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  const chosen: (string | number)[] = []
  root.render(
    <Select<string | number>
      value="auto"
      options={[
        ['auto', 'By itself'],
        [2, 'Twice', 'Fast'],
        [0.5, 'Half', 'Slow'],
      ]}
      choose={(value) => chosen.push(value)}
    />,
  )
  await expect.poll(() => host.querySelectorAll('optgroup')).toHaveLength(2)
  const list = host.querySelector('select') as HTMLSelectElement
  list.value = '0.5'
  list.dispatchEvent(new Event('change', { bubbles: true }))
  expect(chosen).toEqual([0.5])
  root.unmount()
  host.remove()
})
