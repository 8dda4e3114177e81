import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { languageStore } from '../../../../src/app/base/page/language.ts'
import { useDrawing } from '../../../../src/app/base/ui/useDrawing.ts'
import { createDrawing } from '../../../../src/views/drawing/drawing.ts'

let root: Root
let host: HTMLElement
let log: string[]

/** A drawing that logs the calls it gets. */
function mountLog(element: HTMLElement) {
  log.push('mount')
  return createDrawing(
    element,
    (data: string, { width }) => log.push(`${data} ${width}`),
    () => log.push('destroy'),
  )
}

function EachRender({ data, width }: { readonly data: string; readonly width: number }) {
  const ref = useDrawing(mountLog, (drawing) => drawing.update(data))
  return <div ref={ref} style={{ width }} />
}

function EachFrame({ run, data }: { readonly run: string; readonly data: string }) {
  log.push(`render ${data}`)
  const ref = useDrawing(
    mountLog,
    (drawing) => {
      drawing.update(data)
      return () => log.push(`end ${run}`)
    },
    [run],
  )
  return <div ref={ref} style={{ width: 50 }} />
}

function Waiting({ ready }: { readonly ready: boolean }) {
  const ref = useDrawing(ready ? mountLog : null, (drawing, element) => drawing.update(element.id), [])
  return <div ref={ref} id="host" style={{ width: 50 }} />
}

beforeEach(() => {
  log = []
  host = document.createElement('div')
  document.body.append(host)
  root = createRoot(host)
})

afterEach(() => {
  root.unmount()
  host.remove()
  languageStore.setState({ language: 'en' })
})

test('a drawing is mounted once, follows every render and the size of its host, and is destroyed at the end', async () => {
  root.render(<EachRender data="a" width={100} />)
  await expect.poll(() => log.slice(0, 2)).toEqual(['mount', 'a 100'])
  root.render(<EachRender data="b" width={100} />)
  await expect.poll(() => log.at(-1)).toBe('b 100')
  root.render(<EachRender data="b" width={60} />)
  await expect.poll(() => log.at(-1)).toBe('b 60')
  root.unmount()
  expect(log.filter((line) => line === 'mount')).toHaveLength(1)
  expect(log.at(-1)).toBe('destroy')
})

test('with dependencies it is drawn only when one of them has changed, after the previous cleanup', async () => {
  root.render(<EachFrame run="1" data="a" />)
  await expect.poll(() => log).toContain('a 50')
  root.render(<EachFrame run="1" data="b" />)
  await expect.poll(() => log).toContain('render b')
  root.render(<EachFrame run="2" data="c" />)
  await expect.poll(() => log).toContain('c 50')
  expect(log).not.toContain('b 50')
  expect(log.indexOf('end 1')).toBeLessThan(log.indexOf('c 50'))
})

test('it is mounted again in another language', async () => {
  root.render(<EachFrame run="1" data="a" />)
  await expect.poll(() => log).toContain('a 50')
  log = []
  languageStore.setState({ language: 'ru' })
  await expect.poll(() => log.slice(0, 5)).toEqual(['render a', 'destroy', 'end 1', 'mount', 'a 50'])
})

test('without a mount function nothing is mounted, and the host stays the same', async () => {
  root.render(<Waiting ready={false} />)
  await expect.poll(() => host.querySelector('#host')).not.toBeNull()
  const element = host.querySelector('#host')
  expect(log).toEqual([])
  root.render(<Waiting ready />)
  await expect.poll(() => log.slice(0, 2)).toEqual(['mount', 'host 50'])
  expect(host.querySelector('#host')).toBe(element)
  root.render(<Waiting ready={false} />)
  await expect.poll(() => log.at(-1)).toBe('destroy')
})
