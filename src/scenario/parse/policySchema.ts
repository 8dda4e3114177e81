import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import * as limit from '../model/limits.ts'
import { paramsOf, policies, policyKinds } from '../model/policies.ts'
import type { PolicyParam } from '../model/policyDescription.ts'
import type { Policy, PolicyKind } from '../model/scenario.ts'
import { boolean, byStage, checkName, micros, rates, withoutMinusZero } from './schemaParts.ts'
import { type Check, checkByKind, checkList, checkText, checkWhole, defaulted, real, value } from './shape.ts'

/** A policy as it stands in a text: an allocation may still name stages that do not exist. */
export type PolicyDraft =
  | Exclude<Policy, { kind: 'fixed' }>
  | { readonly kind: 'fixed'; readonly allocation: ReadonlyMap<string, number>; readonly lend: boolean }

const never = value<false>({ enum: [false] }, () => t('false, or leave it out: a pinned policy keeps every worker at its own stage'))

const limits = { jobs: limit.MAX_JOBS, workers: limit.MAX_WORKERS }
const seats = checkWhole(0, limit.MAX_WORKERS)

/** Some policies, each with its own keys, as model/policies.ts describes them. */
export function checkPolicy(kinds: readonly PolicyKind[] = policyKinds): Check<PolicyDraft> {
  return checkByKind(
    () => t('an object that names a policy'),
    Object.fromEntries(
      kinds.map((kind) => {
        const params = Object.fromEntries(paramsOf(kind).map(([key, param]) => [key, paramCheck(param)]))
        return [kind, { ...params, lend: policies[kind].lends ? defaulted(boolean, true) : defaulted(never, false) }]
      }),
    ),
  ) as unknown as Check<PolicyDraft>
}

function paramCheck(param: PolicyParam): Check<unknown> {
  const check = 'orNone' in param ? v.nullable(valueCheck(param)) : valueCheck(param)
  return param.byDefault === undefined ? check : defaulted<unknown>(check, param.byDefault)
}

function valueCheck(param: PolicyParam): Check<unknown> {
  if (param.is === 'allocation') return byStage(seats, () => t('a number of workers'))
  if (param.is === 'allocations') return checkList(checkList(seats, limit.MAX_STAGES), limit.MAX_BY_HAND)
  if (param.is === 'rates') return rates
  if (param.is === 'text') return checkName(0)
  if (param.is === 'source') return checkText(limit.MAX_CODE)
  const { is, least, most = limit.MAX_MICROS, counts } = param
  const greatest = typeof most === 'number' ? most : limits[most]
  if (is === 'micros') return micros(least)
  if (is === 'whole') return checkWhole(least, greatest, counts)
  return withoutMinusZero(real(least, greatest, counts))
}
