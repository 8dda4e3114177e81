import { t } from '../../language/translate.ts'
import { placeOf, serviceKeys, unsealedText } from '../model/hidden.ts'
import { MAX_STAGES, MAX_TEXT } from '../model/limits.ts'
import type { Problem } from '../model/scenario.ts'
import { quoted } from '../model/words.ts'
import { parseJson } from './json.ts'
import { isPlainObject } from './shape.ts'

type Given = Readonly<Record<string, unknown>>

/** Returns a scenario with sealed values back in their places, for the schema to check, and a problem for each seal that cannot be opened. */
export function withoutSeals(given: Given): { readonly scenario: Given; readonly problems: readonly Problem[] } {
  const hidden = ownValue(given, 'hidden')
  if (!Array.isArray(hidden) || hidden.length > MAX_STAGES + 1) return { scenario: given, problems: [] }
  const problems: Problem[] = []
  let scenario = given
  hidden.forEach((item: unknown, i) => {
    const opened = isPlainObject(item) ? withoutSeal(scenario, item as Given) : null
    if (typeof opened === 'string') problems.push({ path: `hidden[${i}].sealed`, message: opened })
    else if (opened !== null) scenario = opened
  })
  return { scenario, problems }
}

/** Returns the scenario without one seal, the problem of the seal, or null if there is no such seal. */
function withoutSeal(scenario: Given, item: Given): Given | string | null {
  const sealed = ownValue(item, 'sealed')
  if (typeof sealed !== 'string' || sealed.length > MAX_TEXT) return null
  if (ownValue(item, 'kind') === 'policy') {
    if (Object.hasOwn(scenario, 'policy')) return t('the policy is sealed here and also stands in the scenario; remove one of them')
    const policy = opened(sealed, placeOf({ kind: 'policy' }))
    return policy === null ? damaged() : { ...scenario, policy }
  }
  const id = ownValue(item, 'stage')
  const stages = ownValue(scenario, 'stages')
  if (typeof id !== 'string' || !Array.isArray(stages)) return null
  const s = stages.findIndex((stage: unknown) => isPlainObject(stage) && ownValue(stage as Given, 'id') === id)
  if (s < 0) return null
  const stage = stages[s] as Given
  const doubled = serviceKeys.find((key) => Object.hasOwn(stage, key))
  if (doubled !== undefined) return t('the service time of {id} is sealed here and also stands in its stage; remove one of them', { id: quoted(id) })
  const value = opened(sealed, placeOf({ kind: 'service', stage: id }))
  if (value === null) return damaged()
  const entries = serviceKeys.flatMap((key) => (Object.hasOwn(value, key) ? [[key, value[key]] as const] : []))
  return { ...scenario, stages: stages.map((each: unknown, k) => (k === s ? { ...stage, ...Object.fromEntries(entries) } : each)) }
}

const damaged = () => t('this seal is damaged or belongs to another place. Copy the whole scenario and try again.')

function opened(sealed: string, where: string): Given | null {
  const text = unsealedText(sealed, where)
  if (text === null) return null
  try {
    const value = parseJson(text)
    return isPlainObject(value) ? (value as Given) : null
  } catch {
    return null
  }
}

function ownValue(given: Given, key: string): unknown {
  return Object.hasOwn(given, key) ? given[key] : undefined
}
