import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Select, type SelectOption } from '../controls/Select.tsx'
import './form.css'
import './fields.css'
import { type Bound, tryEdit, useDraft } from './bound.ts'
import { useFormTarget } from './formTarget.ts'
import { Slider, type SliderRange } from './Slider.tsx'
import { inTimes, type Read, readDuration, readNumber, typedNumber, writeDuration } from './typedText.ts'

/** A field of a form: a native control with a label, and its error below. */
interface FieldProps {
  readonly id: string
  readonly label: string
  readonly message: string | null
  readonly hint?: string | undefined
  readonly wide?: boolean
  readonly children: ReactNode
}

export function Field({ id, label, message, hint, wide = false, children }: FieldProps) {
  return (
    <div className="form-field" data-wide={wide}>
      <label htmlFor={id}>{label}</label>
      <div className="form-control">{children}</div>
      <Note id={id} message={message} hint={hint} />
    </div>
  )
}

/** The error of a field, else its hint. */
function Note({ id, message, hint }: Pick<FieldProps, 'id' | 'message' | 'hint'>) {
  const words = message ?? hint
  return (
    words !== undefined && (
      <p className={message === null ? 'form-hint' : 'form-error'} id={`${id}-note`}>
        {words}
      </p>
    )
  )
}

/** Returns the attributes that connect an input with its message for screen readers. */
export function messageAttributes(id: string, message: string | null, hint?: string) {
  return {
    id,
    'aria-invalid': message !== null,
    'aria-describedby': message !== null || hint !== undefined ? `${id}-note` : undefined,
  }
}

interface TextProps<T> extends Bound<T> {
  readonly label: string
  readonly read: (text: string) => Read<T>
  readonly write: (value: T) => string
  readonly hint?: string | undefined
  readonly unit?: string | undefined
  readonly numeric?: boolean
  readonly slider?: SliderRange | undefined
  readonly step?: (value: T, by: 1 | -1) => T
  readonly rows?: number
  readonly after?: ReactNode
}

function DraftField<T>({
  label,
  read,
  write,
  hint,
  unit,
  numeric = true,
  slider,
  step,
  rows,
  after,
  ...bound
}: TextProps<T>) {
  const id = useId()
  const draft = useDraft(bound, read, write)
  const note = messageAttributes(id, draft.message, hint)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && draft.message !== null) {
      event.stopPropagation()
      draft.reset()
    }
    if (event.key === 'Enter' && (rows === undefined || event.ctrlKey || event.metaKey)) draft.leave()
    if (step === undefined || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    draft.type(write(step(bound.value, event.key === 'ArrowUp' ? 1 : -1)))
  }
  const shared = {
    ...note,
    value: draft.text,
    onBlur: draft.leave,
    onKeyDown,
    spellCheck: false,
    autoComplete: 'off',
  } as const
  return (
    <Field id={id} label={label} message={draft.message} hint={hint} wide={rows !== undefined}>
      {slider !== undefined && typeof bound.value === 'number' && (
        <Slider
          label={label}
          range={slider}
          value={bound.value}
          text={write(bound.value)}
          onChange={(value) => draft.type(write(value as T))}
        />
      )}
      {rows === undefined ? (
        <WordInput {...shared} numeric={numeric} unit={unit} onChange={(event) => draft.type(event.target.value)} />
      ) : (
        <textarea {...shared} rows={rows} onChange={(event) => draft.type(event.target.value)} />
      )}
      {after}
    </Field>
  )
}

/** An input of one line, with its unit inside. */
export function WordInput({
  numeric = true,
  unit,
  ...input
}: ComponentProps<'input'> & Pick<TextProps<unknown>, 'numeric' | 'unit'>) {
  const style = unit === undefined ? undefined : { paddingRight: `calc(${unit.length}ch + 14px)` }
  return (
    <>
      <input
        {...input}
        type="text"
        inputMode={numeric ? 'decimal' : 'text'}
        data-numeric={numeric}
        autoComplete="off"
        style={style}
      />
      {unit !== undefined && <span className="form-unit">{unit}</span>}
    </>
  )
}

export type Labelled<T> = Bound<T> & { readonly label: string; readonly hint?: string | undefined }

export function TextField(props: Labelled<string>) {
  // Stored without spaces at its ends, so that a space may be typed before the next word.
  return <DraftField {...props} numeric={false} read={(value) => ({ value })} write={(value) => value.trim()} />
}

type NumberProps = Labelled<number> & {
  readonly unit?: string | undefined
  readonly slider?: SliderRange | undefined
  readonly by?: number | undefined
  readonly after?: ReactNode
}

export function NumberField({ by = 1, ...props }: NumberProps) {
  return (
    <DraftField
      {...props}
      read={readNumber}
      write={typedNumber}
      step={(value, sign) => Number((value + sign * by).toPrecision(12))}
    />
  )
}

export function OptionalField(props: Labelled<number | null>) {
  return (
    <DraftField
      {...props}
      read={(text) => (text.trim() === '' ? { value: null } : readNumber(text))}
      write={(value) => (value === null ? '' : typedNumber(value))}
    />
  )
}

export function DurationField(props: Labelled<number> & { readonly slider?: SliderRange | undefined }) {
  return (
    <DraftField
      {...props}
      read={readDuration}
      write={writeDuration}
      reword={inTimes}
      step={(value, sign) => value + sign * stepOf(value)}
    />
  )
}

export function ListField<T>(props: Labelled<readonly T[]> & Pick<TextProps<readonly T[]>, 'read' | 'write' | 'rows'>) {
  return <DraftField {...props} numeric={false} rows={props.rows ?? 3} />
}

/** Returns one unit of the second figure: 10 ms goes to 11 ms, 250 us to 260 us. */
function stepOf(us: number): number {
  let step = 1
  while (step * 100 <= us) step *= 10
  return step
}

interface ChoiceProps<T extends string>
  extends Pick<ComponentProps<typeof Select<T>>, 'value' | 'options' | 'choose' | 'ref'> {
  readonly label: string
  readonly message?: string | null | undefined
  readonly hint?: string | undefined
}

/** A choice; the form stores its value. */
export function Choice<T extends string>({ label, message = null, hint, ...choice }: ChoiceProps<T>) {
  const id = useId()
  return (
    <Field id={id} label={label} message={message} hint={hint}>
      <Select {...messageAttributes(id, message, hint)} {...choice} />
    </Field>
  )
}

export function SelectField<T extends string>({
  label,
  hint,
  options,
  value,
  path,
  change,
}: Labelled<T> & { readonly options: readonly SelectOption<T>[] }) {
  const target = useFormTarget()
  const [refused, setRefused] = useState<{ readonly standsFor: T; readonly message: string | null } | null>(null)
  const message = refused !== null && refused.standsFor === value ? refused.message : null
  const choose = (next: T) =>
    setRefused({ standsFor: value, message: tryEdit(target, (scenario) => change(scenario, next), path) })
  return <Choice label={label} hint={hint} message={message} value={value} options={options} choose={choose} />
}

export function CheckField({ label, value, path, change }: Omit<Labelled<boolean>, 'hint'>) {
  const target = useFormTarget()
  const [message, setMessage] = useState<string | null>(null)
  const id = useId()
  return (
    <div className="form-check">
      <label>
        <input
          type="checkbox"
          {...messageAttributes(id, message)}
          checked={value}
          onChange={(event) => setMessage(tryEdit(target, (scenario) => change(scenario, event.target.checked), path))}
        />
        {label}
      </label>
      <Note id={id} message={message} />
    </div>
  )
}
