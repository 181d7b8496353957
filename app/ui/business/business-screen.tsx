import { Form } from "react-router"
import type { BusinessField } from "~/domain/forms/business-form"

export type BusinessFieldView = {
  readonly name: BusinessField
  readonly label: string
  readonly hint: string | null
  readonly value: string
  readonly autoComplete: string
  readonly maxLength: number
  /** What is wrong with it; null: nothing. */
  readonly problem: string | null
}

/** The page of the business that buys, with all its texts in the visitor's language. */
export type BusinessView = {
  readonly heading: string
  readonly lead: string
  /** Above the form after it was refused; null: nothing is wrong. */
  readonly problem: string | null
  readonly country: {
    readonly label: string
    readonly chosen: string
    readonly countries: readonly (readonly [code: string, name: string])[]
  }
  readonly fields: readonly BusinessFieldView[]
  readonly save: string
  /** Null: there is no business yet. */
  readonly remove: string | null
  /** `href` with the base path. */
  readonly back: { readonly text: string; readonly href: string }
}

/** The form of the business that buys. Its page has no script. */
export function BusinessScreen({ view }: { view: BusinessView }) {
  const { heading, lead, problem, country, fields, save, remove, back } = view
  return (
    <section className="card narrow refused withdrawal">
      <h1>{heading}</h1>
      <p className="lead">{lead}</p>
      <Form method="post" reloadDocument>
        {problem !== null && (
          <div className="problems" role="alert">
            <p>{problem}</p>
          </div>
        )}
        <label className="field" htmlFor="business-country">
          {country.label}
        </label>
        <select id="business-country" name="country" defaultValue={country.chosen}>
          {country.countries.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        {fields.map((field) => (
          <Field key={field.name} field={field} />
        ))}
        <button className="main" name="intent" value="save">
          {save}
        </button>
        {remove !== null && (
          <button className="quiet" name="intent" value="remove" formNoValidate>
            {remove}
          </button>
        )}
      </Form>
      <a className="quiet" href={back.href}>
        {back.text}
      </a>
    </section>
  )
}

function Field({ field }: { field: BusinessFieldView }) {
  const { name, label, hint, value, autoComplete, maxLength, problem } = field
  const id = `business-${name}`
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`]
  const describedBy = [hint !== null && hintId, problem !== null && problemId].filter(Boolean).join(" ")
  return (
    <>
      <label className="field" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        name={name}
        defaultValue={value}
        required
        maxLength={maxLength}
        autoComplete={autoComplete}
        spellCheck={false}
        aria-invalid={problem !== null || undefined}
        aria-describedby={describedBy || undefined}
      />
      {hint !== null && (
        <p className="note" id={hintId}>
          {hint}
        </p>
      )}
      {problem !== null && (
        <p className="problem" id={problemId}>
          {problem}
        </p>
      )}
    </>
  )
}
