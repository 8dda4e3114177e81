import { wallMicros } from '../../../src/engine/conductor/environment.ts'
import type { Scenario, Service } from '../../../src/scenario/model/scenario.ts'
import { processSeconds } from '../processorTime.ts'
import { lineOf } from '../scenarios.ts'
import { hearGoodbyes } from './bare.ts'
import type { BrokerHere } from './brokers.ts'
import type { Child, ProcessGroup } from './child.ts'
import type { Conducted, ConductedMessage } from './conducted.ts'
import { deviceName } from './lenders.ts'
import { comeIn, gather } from './roster.ts'
import { median, type TrialRow, type TrialTools } from './trialRow.ts'

/** Three stages that wait 5 to 20 ms: 37.5 ms a job. */
const services: Service[] = Array.from({ length: 3 }, () => ({ kind: 'uniform', min: 5000, max: 20_000 }))
const JOB = 37_500

/** 200 devices, each with a connection of its own, in four processes. */
export async function manyDevices({ family, broker, quick }: TrialTools): Promise<TrialRow[]> {
  const processes = quick ? 2 : 4
  const all = await gather(family, broker, processes, 50)
  const run = await conduct(family, broker, waiting(quick ? 1000 : 20_000, processes * 50), { watched: false })
  end(all)
  return [
    {
      name: `${broker.name}: ${processes * 50} devices`,
      figures: { ...served(run), 'workers that served': run.servants, lost: run.lostAt.length },
    },
  ]
}

/** Fifty devices, of which one is killed each second for 20 s; another joins half a second later. */
export async function deaths({ family, broker, quick }: TrialTools): Promise<TrialRow[]> {
  const kills = quick ? 2 : 20
  const devices = await gather(family, broker, 50, 1)
  const bare = await hearGoodbyes(broker.address)
  const spare = Array.from({ length: kills }, () => family.start('lenders'))
  const killedAt: number[] = []
  const coming: Promise<unknown>[] = []
  const used = processSeconds(broker.pid())
  const run = await conduct(family, broker, waiting(quick ? 3000 : 28_000, 50), {
    watched: false,
    async meanwhile() {
      for (let k = 0; k < kills; k++) {
        await pause(500)
        killedAt.push(wallMicros())
        devices[k].kill('SIGKILL')
        await pause(500)
        coming.push(comeIn(spare[k], broker, 1))
      }
      await Promise.all(coming)
    },
  })
  const brokerUsed = (processSeconds(broker.pid()) - used) * 1e6
  bare.end()
  end([...devices, ...spare])
  const after = (timeOf: (k: number) => number | undefined) =>
    killedAt.map((time, k) => ((timeOf(k) ?? Number.NaN) - time) / 1000)
  const noticed = after((k) => run.lostAt[k])
  const bareNoticed = after((k) => bare.at.get(deviceName(devices[k].pid, 0)))
  return [
    {
      name: `${broker.name}: one of 50 devices is killed a second`,
      figures: {
        ...served(run),
        killed: kills,
        lost: run.lostAt.length,
        'noticed after ms, median (100)': median(noticed),
        'noticed after ms, most': Math.max(...noticed),
        'a bare client is told after ms, median': median(bareNoticed),
        'a bare client is told after ms, most': Math.max(...bareNoticed),
        'conductor us a service (120)': run.processor / run.services,
        'broker us a service': brokerUsed / run.services,
        'decision us a service': run.decisions / run.services,
      },
    },
  ]
}

/** The broker is killed during the run and is back a second later. */
export async function brokerGone({ family, broker, quick }: TrialTools): Promise<TrialRow[]> {
  const devices = await gather(family, broker, 2, 10)
  let away = 0
  const run = await conduct(family, broker, waiting(quick ? 900 : 1800, 20), {
    watched: true,
    async meanwhile() {
      await pause(1000)
      const began = performance.now()
      await broker.restart(1000)
      away = performance.now() - began
    },
  })
  end(devices)
  return [
    {
      name: `${broker.name}: killed in mid-run`,
      figures: { ...served(run), 'away s': away / 1000, lost: run.lostAt.length, 'sent again': run.again },
    },
  ]
}

/** A device is frozen during the run: its connection stays open. */
export async function frozen({ family, broker, quick }: TrialTools): Promise<TrialRow[]> {
  const devices = await gather(family, broker, 10, 1)
  const frozenAt: number[] = []
  const victims = devices.slice(0, quick ? 1 : 3)
  const run = await conduct(family, broker, waiting(quick ? 1400 : 3500, 10), {
    watched: false,
    async meanwhile() {
      for (const device of victims) {
        await pause(500)
        frozenAt.push(wallMicros())
        device.kill('SIGSTOP')
      }
    },
  })
  end(devices)
  const after = frozenAt.map((time, k) => (run.lostAt[k] - time) / 1e6)
  return [
    {
      name: `${broker.name}: devices are frozen`,
      figures: {
        ...served(run),
        lost: run.lostAt.length,
        'noticed after s, median': median(after),
        'noticed after s, most': Math.max(...after),
      },
    },
  ]
}

/** Three lenders as people start them, two threads each: the time of a run over that of the work itself, shared evenly. */
export async function lenders({ family, broker, root, quick }: TrialTools): Promise<TrialRow[]> {
  const { broker: address, room, token } = broker.joinAddress
  const link = `${address.replace(/^ws/, 'http').replace(/mqtt$/, '')}join.html#room=${room}.${token}`
  const all = await Promise.all(
    [0, 1, 2].map(() =>
      family.command(process.execPath, [`${root}/scripts/lend.mjs`, link, '--threads', '2'], 'In room'),
    ),
  )
  const rows: TrialRow[] = []
  for (const size of [1, 5]) {
    const jobs = quick ? 90 : 900
    const run = await conduct(family, broker, waiting(jobs, 6, size), { watched: false })
    rows.push({
      name: `${broker.name}: three lenders of two threads, batches of ${size}`,
      figures: {
        ...served(run),
        'over the ideal': run.makespan / ((jobs * JOB) / 6),
        'of the time at work': run.worked / run.makespan / 6,
      },
    })
  }
  end(all)
  return rows
}

function waiting(jobs: number, workers: number, size = 5): Scenario {
  return lineOf({ jobs, seed: 1, workers, services, rate: null, work: 'wait', batch: { size } })
}

/** Plays a scenario in a separate process of a conductor. `meanwhile` starts with the run. */
async function conduct(
  family: ProcessGroup,
  { address }: BrokerHere,
  scenario: Scenario,
  { watched, meanwhile = async () => {} }: { readonly watched: boolean; readonly meanwhile?: () => Promise<void> },
): Promise<Conducted> {
  const conductor = family.start('conductor')
  const ended = conductor.ask<Conducted>({ ask: 'play', address, scenario, watched } satisfies ConductedMessage)
  await conductor.waitForEvent('started')
  const [run] = await Promise.all([ended, meanwhile()])
  end([conductor])
  if (run.ending !== 'drained') throw new Error(JSON.stringify(run))
  return run
}

function served({ jobs, services: done, missing, doubled, redone, makespan }: Conducted): Record<string, number> {
  return { jobs, services: done, missing, doubled, redone, s: makespan / 1e6 }
}

function end(children: readonly Child[]): void {
  for (const child of children) child.kill('SIGKILL')
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
