import { t } from '../../language/translate.ts'
import { distributions } from '../model/distributions.ts'
import { type Kinds, paramsIn } from '../model/params.ts'
import { policies } from '../model/policies.ts'
import { sources } from '../model/sources.ts'

/** Returns what forms call each key, by the key that leads to its object. Parameters of kinds are in their tables. */
export function keyLabels() {
  return {
    title: t('Title'),
    seed: t('Seed'),
    source: t('Arrivals'),
    stages: t('Pipeline'),
    links: t('Links'),
    workers: t('Workers'),
    cores: t('Cores'),
    workerEvents: t('Workers come and go'),
    policy: t('Policy'),
    estimator: t('Estimate'),
    batch: t('Batch'),
    switchCost: t('Switch cost'),
    groupSwitchCost: t('Group switch cost'),
    network: t('Network'),
    later: t('Phases'),
    branches: t('Branch'),
    order: t('Jobs leave'),
    'retry.limit': t('Retries'),
    'retry.backoff': t('Retry after'),
    'source.classes': t('Weights'),
    'stages.name': t('Name'),
    'stages.service': t('Service time'),
    'stages.changes': t('Change'),
    'stages.work': t('In a real run'),
    'stages.fails': t('Failures'),
    'stages.capacity': t('Queue'),
    'stages.discipline': t('Order'),
    'stages.whenTaken': t('Same group'),
    'stages.fanOut': t('Links'),
    'stages.join': t('Links'),
    'changes.service': t('Service time'),
    'changes.from': t('From job'),
    'fails.jobs': t('Job numbers'),
    'fails.tries': t('Tries'),
    'policy.lend': t('Let idle workers help other stages'),
    'policy.allocation': t('Workers'),
    'estimator.n': t('Latest'),
    'estimator.alpha': t('Newest weighs'),
    'estimator.prior': t('Unmeasured'),
    'batch.size': t('Jobs'),
    'batch.inHand': t('Keep a second batch in hand'),
    'network.roundTrip': t('Round trip'),
    'network.loss': t('Lost messages'),
    'order.slots': t('Slots'),
    'workerEvents.at': t('At'),
    'workerEvents.worker': t('Worker'),
  }
}

/** What each key means, by the key that leads to its object, and that object's kind where kinds differ. Bounds and defaults are in the schema. */
export function meanings(): Readonly<Record<string, string>> {
  const labels = keyLabels()
  return {
    ...labelsIn('source', sources),
    ...labelsIn('service', distributions),
    ...labelsIn('policy', policies),
    ...labels,
    version: t('Version of the format'),
    links: t('Pairs from "source" over stage ids to "sink", without cycles. Default: a line'),
    cores: t('How many workers compute at once in the simulation. Default: all'),
    switchCost: inMicros(labels.switchCost),
    groupSwitchCost: inMicros(labels.groupSwitchCost),
    network: t('Workers are far away (simulation)'),
    branches: t('Runs that equal this one until some time'),
    later: t('What changes for the scheduler during the run'),
    $schema: t('Where this JSON Schema is, for text editors'),
    'source.kind': labels.source,
    'source.jobs': labels['batch.size'],
    'source.digest': t('SHA-256 of the file whose lines are the jobs; "" while there is none'),
    'source.retry': t('Clients give up a job that waits too long'),
    'retry.after': t('How long a job may wait for its first start, µs'),
    'retry.backoff': inMicros(labels['retry.backoff']),
    'stages.id': t('Id in links and allocations'),
    'stages.service': inMicros(labels['stages.service']),
    'stages.startUp': t('Start-up'),
    'work.code': t('JavaScript module; its default export gets (input, context) and returns the output'),
    'stages.ageing': inMicros(t('How much earlier to pass a more urgent job')),
    'stages.resource': t('"group": jobs of one group are served one at a time; null: together'),
    'stages.fanOut': t('A copy to each'),
    'stages.join': t('Wait for all parts of a job'),
    'stages.from': labels['changes.from'],
    'stages.position': t('Place on the canvas; null: automatic'),
    'changes.service': inMicros(labels['changes.service']),
    'fanOut.route': labels['source.classes'],
    'position.x': t('To the right'),
    'position.y': t('Down'),
    'service.kind': t('Distribution'),
    'policy.kind': labels.policy,
    'policy.idle': inMicros(t('Dismiss after')),
    'policy.actor_pool_util_upscaling_threshold': t('Jobs per ready actor at which an actor is added'),
    'policy.actor_pool_util_downscaling_threshold': t('Jobs per ready actor at which an idle actor goes'),
    'policy.actor_pool_max_upscaling_delta': t('Hire at once'),
    'policy.max_tasks_in_flight_per_actor': t('How many jobs an actor holds'),
    'policy.op_resource_reservation_ratio': t('Share of the workers that is reserved equally'),
    'policy.min_size': t('Fewest workers of a pool'),
    'policy.task_operators': t('How many operators run as tasks beside the stages'),
    'policy.averageUtilization': t('Keep busy'),
    'policy.tolerance': t('Deviation from the target that is ignored'),
    'policy.stabilizationWindow': t('Time over which a pool takes its greatest request, µs'),
    'policy.minReplicas': t('Fewest workers of a pool'),
    'policy.threshold': t('Hire above'),
    'policy.minThreads': t('Fewest workers of a pool'),
    'policy.autoscale_interval': inMicros(t('Period')),
    'policy.utilizationTarget': t('Keep busy'),
    'policy.targetUtilizationBoundary': t('Deviation from the target that is ignored'),
    'policy.scaleUpMaxFactor': t('Greatest factor of growth'),
    'policy.scaleDownMaxFactor': t('Greatest share by which a vertex shrinks'),
    'policy.scaleDownInterval': t('Time over which a pool takes its greatest request, µs'),
    'policy.catchUpDuration': t('Time to work off the lag, µs; 0: the lag does not count'),
    'policy.restartTime': t('Expected time of a restart, µs'),
    'policy.stabilizationInterval': t('Time after a change without measuring, µs'),
    'policy.metricsWindow': t('Time over which rates are measured, µs'),
    'policy.backlogLagThreshold': t('Lag of the source above which nothing shrinks, µs'),
    'policy.vertexMinParallelism': t('Fewest workers of a pool'),
    'policy.steal': t('How many jobs a thief takes: the oldest, or the older half'),
    'policy.allocations': labels.workers,
    'estimator.kind': labels.estimator,
    'batch.adaptive': t('As the queue allows'),
    'network.roundTrip': inMicros(labels['network.roundTrip']),
    'order.kind': labels.order,
    'branches.at': inMicros(labels['workerEvents.at']),
    'branches.stages': labels['stages.changes'],
    'workerEvents.at': inMicros(labels['workerEvents.at']),
    'workerEvents.kind': t('What'),
    'later.at': inMicros(labels['workerEvents.at']),
  }
}

/** Parameters mean what their labels and hints in forms say. */
function labelsIn(holder: string, table: Kinds): Readonly<Record<string, string>> {
  const labels = Object.entries(table).flatMap(([kind, row]) =>
    paramsIn(row).flatMap(([key, param]) => {
      const { label, hint, is } = param
      if (label === undefined) return []
      // The hint of a field that may be empty is about that.
      const words = hint === undefined || 'orNone' in param ? label() : `${label()}: ${hint()}`
      return [[`${holder}.${kind}.${key}`, is === 'micros' ? inMicros(words) : words]]
    }),
  )
  return Object.fromEntries(labels)
}

const inMicros = (words: string) => t('{words}, µs', { words })
