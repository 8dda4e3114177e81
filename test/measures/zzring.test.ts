import { test } from 'vitest'
import { compareOrder } from '/work/main/src/runs/orderCost.ts'
import { createOrderLog, extendOrderLog, orderCost } from '/work/main/src/measures/orderLog.ts'
import { playSimulation } from '/work/main/src/runs/play.ts'
import { valid } from '/work/main/test/fixtures/anyScenario.ts'
test('try', async () => {
  for (const rate of [180, 200, 220, 240]) for (const seed of [1,2,3,4,5,6]) {
    const s = valid({version:1, title:'x', seed, stages:[{id:'A',name:'Unpack',service:{kind:'constant',mean:2000},work:'wait'},{id:'B',name:'Convert',service:{kind:'bimodal',fast:8000,slow:400000,pSlow:0.01},work:'wait'}],
      source:{kind:'regular',rate,jobs:600},workers:4,order:{kind:'buffer',slots:32}})
    const {ordered, free} = await compareOrder(s)
    const log = createOrderLog(await playSimulation(s,0)); extendOrderLog(log)
    const c = orderCost(log)
    console.log(rate, seed, [ordered.makespan, free.makespan, ordered.meanFlowTime, free.meanFlowTime].map(x=>(x/1e6).toFixed(3)).join(' '), ordered.utilisation.toFixed(2), free.utilisation.toFixed(2), free.reordered, (c.meanParked/1000).toFixed(1), c.longest, c.most)
  }
})
