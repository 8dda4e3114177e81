import { t } from '../../../language/translate.ts'
import type { Network } from '../../../scenario/model/scenario.ts'
import { type Bound, inside, shownAs } from '../../base/forms/bound.ts'
import { CheckField, DurationField, NumberField } from '../../base/forms/fields.tsx'

/** What a network has when it is switched on: a good wireless network. */
const usual: Network = { roundTrip: 5000, loss: 0 }

/** The network between the scheduler and the workers. */
export function NetworkFields({ bound }: { readonly bound: Bound<Network | null> }) {
  const there = shownAs(
    bound,
    (network) => network !== null,
    (on) => (on ? usual : null),
  )
  const { value: network } = bound
  return (
    <>
      <CheckField label={t('Workers are far away (simulation)')} {...there} />
      {network !== null && (
        <>
          <DurationField label={t('Round trip')} hint={t('Of each batch: to a worker and back')} {...inside({ ...bound, value: network }, 'roundTrip')} />
          <NumberField
            label={t('Lost messages')}
            hint={t('Share of messages that are lost and sent again')}
            {...inside({ ...bound, value: network }, 'loss')}
            slider={{ least: 0, most: 0.5 }}
          />
        </>
      )}
    </>
  )
}
