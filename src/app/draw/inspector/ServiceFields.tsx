import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { Service } from '../../../scenario/model/scenario.ts'
import { type Bound, kindOf, shownAs } from '../../base/forms/bound.ts'
import { SelectField } from '../../base/forms/fields.tsx'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { ServiceDrawing } from '../shapes/ServiceDrawing.tsx'
import { Params } from './Params.tsx'
import { serviceKinds, serviceOfKind } from './serviceKinds.ts'

const kinds = Object.entries(serviceKinds()).map(([kind, { name }]) => [kind as Service['kind'], name] as const)

interface Props {
  readonly of: Bound<Service>
  /** The stage's number, for its colour. */
  readonly index: number
}

/** The service time: its distribution, shape and parameters. */
export function ServiceFields({ of, index }: Props) {
  const session = useSession()
  const { value: service, path, change } = of
  // The fields show a value while it is pulled. The scenario gets it on release.
  const [drawn, setDrawn] = useState<Service | null>(null)
  return (
    <>
      <SelectField label={t('Distribution')} {...shownAs(of, kindOf, (kind) => serviceOfKind(kind, service))} options={kinds} />
      <ServiceDrawing
        service={service}
        drawn={drawn}
        index={index}
        onPull={setDrawn}
        onSet={(next, key) => editOrShowProblems(session, (scenario) => change(scenario, next), key === undefined ? undefined : `${path} ${key}`)}
      />
      <Params params={serviceKinds()[service.kind].params} of={{ ...of, value: drawn ?? service }} />
    </>
  )
}
