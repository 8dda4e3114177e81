import type { ComponentType } from 'react'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import type { ToBeat } from '../../../scenario/link/opening.ts'
import type { Policy, PolicyKind, Problem, Scenario, Stage } from '../../../scenario/model/scenario.ts'
import type { DecisionQuestion } from '../../../scenario/parse/part.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import type { Commands } from '../commands.ts'
import type { Run } from '../run/runStore.ts'
import type { Session } from '../session.ts'

/**
 * A capability of the page that could be deleted, as data: a folder under `src/features` and a line in `src/features.ts`. The page reads
 * that list and names no feature. Importing a feature does nothing; what it shows is fetched when it is first shown.
 */
export interface Feature {
  readonly key: string
  /** What a person can do. A lower place comes first in menus and help: see `coreCommands`. */
  readonly commands?: readonly (readonly [place: number, commands: Commands])[]
  readonly panels?: readonly Panel[]
  readonly tabs?: readonly Tab[]
  readonly layers?: readonly Layer[]
  /** A section of the results, fetched with the first of them. */
  readonly results?: () => Promise<ResultSection>
  readonly files?: FileTaker
  /** A series of the gallery. */
  readonly gallery?: { readonly title: () => string; readonly load: (session: Session) => Promise<readonly Preset[]> }
  readonly opens?: Partial<Openers>
  /** Called before the first picture; resolves with the problems of the address. Null if there is nothing to wait for. */
  readonly arrive?: (session: Session) => Promise<readonly Problem[]> | null
  /** Called when the whole page is there. Returns a cleanup. */
  readonly attend?: (session: Session) => () => void
  /** As `attend`, once everything else is loaded. */
  readonly attendLater?: (session: Session) => Promise<() => void>
}

/** The data that decide whether a panel is shown. */
export interface Shown {
  readonly scenario: Scenario
  readonly run: Run | null
  readonly hosting: boolean
  /** Whether a feature notes something at instants of the run. */
  readonly noted: boolean
  /** Returns whether the address has an option such as `?guess`. */
  asks(option: string): boolean
  /** Returns whether something holds for the scenario on the canvas, or for that of the run. */
  either(is: (scenario: Scenario) => boolean): boolean
}

/** The props of panels, by place. */
export interface PanelProps {
  readonly aboveDecision: object
  /** In the column at the side, with the decision at the playhead. */
  readonly decision: object
  /** Below the sentence of a decision. */
  readonly decisionNote: { readonly run: Run; readonly policy: Policy; readonly index: number }
  /** In the settings, among the parameters of the policy. */
  readonly policyForm: { readonly policy: Policy; readonly scenario: Scenario }
  /** In the form of a stage, below what it does in a real run. */
  readonly stageForm: { readonly stage: Stage; readonly index: number }
  /** Over the page and an embed of it. */
  readonly notice: object
  /** In the status line, behind how a run ended. */
  readonly verdict: { readonly run: Run }
  /** Above the figures of a run that has ended. */
  readonly answers: { readonly run: Run }
  readonly compare: object
  readonly presented: { readonly shown: boolean; readonly show: () => void }
}
export type PanelPlace = keyof PanelProps

export interface PanelAt<P extends PanelPlace> {
  readonly place: P
  /** Panels of one place stand in this order. */
  readonly order: number
  readonly when?: (shown: Shown) => boolean
  readonly load: () => Promise<ComponentType<PanelProps[P]>>
}
export type Panel = { readonly [P in PanelPlace]: PanelAt<P> }[PanelPlace]

export interface Tab {
  readonly place: 'side' | 'record'
  readonly key: string
  readonly name: () => string
  /** It is hidden together with this control (see hide.ts). */
  readonly control?: string
  readonly when?: (shown: Shown) => boolean
  readonly load: () => Promise<ComponentType>
}

/** A section below the figures of a run that has ended. */
export interface ResultSection {
  /** Computes the contents of the section, in steps, so that the page stays responsive. */
  readonly inSteps: (run: Run) => Generator<void, unknown>
  readonly Section: ComponentType<{ readonly run: Run; readonly figures: Metrics; readonly found: unknown }>
}

/** A part that accompanies or covers the page while it is open: beside the title, a dialog, a column beside the pipeline, or over all of the page. */
export interface Layer {
  readonly place: 'title' | 'dialog' | 'beside' | 'page'
  readonly store: (session: Session) => { subscribe(onChange: () => void): () => void }
  readonly isOpen: (session: Session) => boolean
  /** What menus say of it. A change draws them again. */
  readonly state?: (session: Session) => string
  readonly load: () => Promise<ComponentType>
}

/** Reads files that would otherwise become the jobs of a pipeline, line by line. */
interface FileTaker {
  /** Whether it takes every file now. */
  readonly takesAll: (session: Session) => boolean
  /** Its files are runs: it also gets those that are packed, and those chosen as a trace. */
  readonly holdsRuns?: boolean
  readonly recognises: (file: File, session: Session) => Promise<boolean>
  /** `asLines` makes the lines of the file the jobs after all. */
  readonly open: (session: Session, file: File, asLines?: () => void) => Promise<void>
}

/** What buttons and links of the core open in features. A button is hidden if no feature opens it. */
export interface Openers {
  /** The question of a link `#ask=`. */
  readonly question: (session: Session, question: DecisionQuestion) => void
  /** `&beat=` of a link, and `?beat`. */
  readonly beat: (session: Session, toBeat: ToBeat | null) => void
  /** `&policies=` of a link: they are compared. */
  readonly policies: (session: Session, kinds: readonly PolicyKind[]) => Promise<void>
  /** `?present`. */
  readonly presentation: (session: Session) => void
  readonly lesson: (session: Session, key: string) => void
  /** Offers the first lesson to a person who never began one; returns null for others. */
  readonly firstLesson: (session: Session) => (() => void) | null
  readonly lessons: (session: Session) => void
  readonly gallery: (session: Session) => void
}
