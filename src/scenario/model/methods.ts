import { t } from '../../language/translate.ts'
import type { PolicyDescription } from './params.ts'

/** What policies share that apportion seats by votes. */
export const apportions = { group: 'rules', lends: true, askable: true } as const

/** The methods by which parliaments apportion seats, here by the votes of the stages. Menus show them as one policy with a choice of the method. */
export const methods = {
  jefferson: { ...apportions, name: () => t('Jefferson'), about: dividesBy('n + 1'), link: 2 },
  webster: { ...apportions, name: () => t('Webster'), about: dividesBy('2n + 1'), link: 3 },
  huntingtonHill: { ...apportions, name: () => t('Huntington-Hill'), about: dividesBy('√(n (n + 1))'), link: 7 },
  adams: { ...apportions, name: () => t('Adams'), about: dividesBy('n'), link: 8 },
  dean: { ...apportions, name: () => t('Dean'), about: dividesBy('n (n + 1) / (n + ½)'), link: 9 },
  hamilton: {
    ...apportions,
    name: () => t('Hamilton'),
    about: () => t('Whole quotas first, then the largest remainders'),
    link: 10,
  },
} as const satisfies Readonly<Record<string, PolicyDescription & { readonly about: () => string }>>

function dividesBy(divisor: string): () => string {
  return () => t('Divides votes by {divisor}, where n is the number of seats', { divisor })
}

export type Method = keyof typeof methods

export const methodKinds = Object.keys(methods) as Method[]

export function isMethod(kind: string): kind is Method {
  return Object.hasOwn(methods, kind)
}

/** Returns the kinds for a menu, in which one method stands for all: the chosen one, or the first. */
export function menuKinds<K extends string>(kinds: readonly K[], chosen: string): readonly K[] {
  const shown = kinds.find((kind) => kind === chosen && isMethod(kind)) ?? kinds.find(isMethod)
  return kinds.filter((kind) => kind === shown || !isMethod(kind))
}

/** Returns the name of a kind in such a menu. */
export function menuName(kind: string, name: string): string {
  return isMethod(kind) ? t('Apportionment') : name
}
