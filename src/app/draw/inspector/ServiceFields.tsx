import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { Scenario, Service } from '../../../scenario/model/scenario.ts'
import { SelectField } from '../../base/forms/fields.tsx'
import { editOrRefuse } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { ServiceDrawing } from '../shapes/ServiceDrawing.tsx'
import { Params } from './Params.tsx'
import { serviceKinds, serviceOfKind } from './serviceKinds.ts'

const kinds = Object.entries(serviceKinds()).map(([kind, { name }]) => [kind as Service['kind'], name] as const)

interface Props {
  readonly service: Service
  readonly path: string
  /** The stage's number, for its colour. */
  readonly index: number
  /** Replaces the present service time, which may have changed since it was shown. */
  readonly put: (scenario: Scenario, change: (before: Service) => Service) => Scenario
}

/** The service time: its distribution, shape and parameters. */
export function ServiceFields({ service, path, index, put }: Props) {
  const session = useSession()
  // The fields show a value while it is pulled. The scenario gets it on release.
  const [drawn, setDrawn] = useState<Service | null>(null)
  return (
    <>
      <SelectField
        label={t('Distribution')}
        path={path}
        value={service.kind}
        options={kinds}
        change={(scenario, kind) => put(scenario, (before) => serviceOfKind(kind, before))}
      />
      <ServiceDrawing
        service={service}
        index={index}
        onPull={setDrawn}
        onSet={(next, key) => editOrRefuse(session, (scenario) => put(scenario, () => next), key === undefined ? undefined : `${path} ${key}`)}
      />
      <Params
        params={serviceKinds()[service.kind].params}
        of={drawn ?? service}
        path={path}
        put={(scenario, key, value) => put(scenario, (before) => ({ ...before, [key]: value }) as Service)}
      />
    </>
  )
}
