import type { Preset } from '../../scenario/presets/preset.ts'

/** Returns the scenarios made for the game, from easy to hard. */
export async function levelsToPlay(): Promise<readonly Preset[]> {
  const [{ presetOf }, { games }] = await Promise.all([import('../../scenario/presets/presets.ts'), import('../../scenario/presets/games.ts')])
  return [...['worked-example', 'six-through-three'].flatMap((key) => presetOf(key) ?? []), ...games]
}
