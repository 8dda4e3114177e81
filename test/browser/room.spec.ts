import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { choose, chooseEngine, downloadBytes, LONG, statusOf } from './driver/visit.ts'

const root = join(import.meta.dirname, '../..')

/** A room on this machine: the real server, and processes that lend threads. */
class RealRoom {
  readonly processes: ChildProcess[] = []
  links = { page: '', join: '', host: '' }

  async open(): Promise<void> {
    const words = ['--port', '0', '--host', 'localhost', '--json', '--page', 'node_modules/.cache/apportion/site']
    this.links = JSON.parse((await this.start('room', words, '}')).output)
  }

  /** A process that lends two threads. Resolves when it is in the room. */
  async lend(): Promise<ChildProcess> {
    return (await this.start('lend', [this.links.join, '--threads', '2'], 'In room')).child
  }

  /** Starts a command, and resolves when it has printed these words. */
  private start(
    command: string,
    words: readonly string[],
    until: string,
  ): Promise<{ readonly child: ChildProcess; readonly output: string }> {
    const child = spawn(process.execPath, [join(root, `scripts/${command}.mjs`), ...words], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.processes.push(child)
    return new Promise((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (text) => {
        output += text
        if (output.includes(until)) resolve({ child, output })
      })
      child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)))
    })
  }

  close(): void {
    for (const child of this.processes.splice(0)) child.kill('SIGKILL')
  }
}

const room = new RealRoom()
test.beforeEach(() => room.open())
test.afterEach(() => room.close())

const scenario = (jobs: number) => ({
  version: 1,
  title: 'Three waiting stages',
  source: { kind: 'batch', jobs },
  stages: ['A', 'B', 'C'].map((id) => ({ id, work: 'wait', service: { kind: 'uniform', min: 5000, max: 20_000 } })),
  workers: 6,
})

/** Opens the page as host, with three devices of two threads in the room, and starts a run. */
async function started(page: Page, jobs: number): Promise<ChildProcess[]> {
  const lenders = await Promise.all([room.lend(), room.lend(), room.lend()])
  await page.goto(`${room.links.host}&${jsonLink(scenario(jobs)).slice(1)}`)
  await chooseEngine(page, 'Room')
  await expect(page.getByRole('article', { name: 'Room' })).toContainText('6 workers on 3 devices')
  await runInRoom(page)
  return lenders
}

/** Presses Run, and waits until it runs: until then the status line is that of the run before. */
async function runInRoom(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(ending(page, /^Running on the room/)).toBeVisible(LONG)
}

/** The status line of the run: the room has one of its own. */
const ending = (page: Page, how: RegExp) => statusOf(page).filter({ hasText: how })

/** Waits for the end of the run, and expects that it succeeded. */
async function finished(page: Page): Promise<void> {
  await expect(ending(page, /^(Finished|Stopped|Failed)/)).toBeVisible(LONG)
  await expect(ending(page, /^Finished: 900 of 900 jobs in /)).toBeVisible()
}

test('a device is killed in mid-run and another joins: every job is out, and the record has every service once', async ({
  page,
}) => {
  const [, , third] = await started(page, 900)
  await page.waitForTimeout(1500)
  third.kill('SIGKILL')
  await room.lend()
  await finished(page)
  const { events, kinds, engine } = JSON.parse(
    (await downloadBytes(page, () => choose(page, 'Download trace'))).toString('utf8'),
  )
  const rowsOf = (kind: string) => events.kind.flatMap((one: number, i: number) => (kinds[one] === kind ? [i] : []))
  const services = rowsOf('finished').map((i: number) => `${events.stage[i]} ${events.job[i]}`)
  expect(engine).toBe('room')
  expect([services.length, new Set(services).size]).toEqual([2700, 2700])
  expect(rowsOf('lost').length).toBeGreaterThanOrEqual(2)
  expect(rowsOf('joined').length).toBeGreaterThanOrEqual(1)
})

test('a host that reloads in mid-run keeps its room, is offered the recorded part, and runs again', async ({
  page,
}) => {
  await started(page, 900)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('apportion.run')), LONG).toBe('1')
  await page.reload()
  expect(page.url()).not.toContain('host=')
  await expect(page.getByRole('region', { name: 'Cut short' })).toContainText('“Three waiting stages” was cut short')
  await page.getByRole('button', { name: 'Open it' }).click()
  await expect(ending(page, /^Stopped: .*Recorded in an earlier visit/)).toBeVisible(LONG)
  await page.getByRole('tab', { name: 'Room' }).click()
  await expect(page.getByRole('article', { name: 'Room' })).toContainText('6 workers on 3 devices')
  await chooseEngine(page, 'Room')
  await runInRoom(page)
  await finished(page)
})
