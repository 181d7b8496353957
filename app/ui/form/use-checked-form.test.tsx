import { getInputProps, getTextareaProps } from "@conform-to/react"
import { renderToString } from "react-dom/server"
import { expect, test } from "vitest"
import type { RefusedForm } from "~/domain/refused-form"
import { useCheckedForm, useFormInBrowser } from "./use-checked-form"

const lastResult: RefusedForm = {
  status: "error",
  initialValue: { email: "ana at example" },
  error: { email: ["checkout.email.invalid"] },
}

type Shown = { lastResult: RefusedForm | null; defaultValue?: string; use: typeof useCheckedForm }

/** A form with a field, and what both say of themselves. */
function Shown({ lastResult, defaultValue, use: useThis }: Shown) {
  const { form, fields, formProps } = useThis<"email">({
    id: "order",
    lastResult,
    ...(defaultValue !== undefined && { defaultValue: { email: defaultValue } }),
    check: () => ({}),
  })
  const { id, name, formId, errorId, errors, descriptionId, valid, value, required } = fields.email
  const field = { id, name, formId, errorId, errors, descriptionId, valid, value, required }
  const said = {
    field,
    form: { id: form.id, errorId: form.errorId, errors: form.errors, all: form.allErrors },
  }
  return (
    <form {...formProps}>
      <input {...getInputProps(fields.email, { type: "email", ariaDescribedBy: "note" })} />
      <textarea {...getTextareaProps(fields.email)} />
      <output>{JSON.stringify(said)}</output>
    </form>
  )
}

const ofForm: RefusedForm = { status: "error", initialValue: { email: "" }, error: { "": ["checkout.gone"] } }

test.each<[string, Omit<Shown, "use">]>([
  ["is new", { lastResult: null }],
  ["has a default value", { lastResult: null, defaultValue: "ana@example.test" }],
  ["has an empty default value", { lastResult: null, defaultValue: "" }],
  ["is refused for a field", { lastResult, defaultValue: "ana@example.test" }],
  ["is refused as a whole, with an empty field", { lastResult: ofForm, defaultValue: "ana@example.test" }],
  [
    "is refused without what was typed",
    { lastResult: { status: "error" }, defaultValue: "ana@example.test" },
  ],
])("a form that %s is rendered by the server as the browser makes it", (_, shown) => {
  expect(useCheckedForm).not.toBe(useFormInBrowser)
  const html = renderToString(<Shown {...shown} use={useCheckedForm} />)
  expect(html).toBe(renderToString(<Shown {...shown} use={useFormInBrowser} />))
  expect(html).toContain('<input id="order-email" form="order"')
})

test("a refused field has its error and what was typed", () => {
  const html = renderToString(<Shown lastResult={lastResult} use={useCheckedForm} />)
  expect(html).toContain('aria-invalid="true" aria-describedby="order-email-error note"')
  expect(html).toContain('value="ana at example"')
})
