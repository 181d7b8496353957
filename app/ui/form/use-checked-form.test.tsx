import { getInputProps } from "@conform-to/react"
import { renderToString } from "react-dom/server"
import { expect, test } from "vitest"
import type { RefusedForm } from "~/domain/forms/refused-form"
import { useCheckedForm } from "./use-checked-form"

const lastResult: RefusedForm = {
  status: "error",
  initialValue: { email: "ana at example" },
  error: { email: ["checkout.email.invalid"] },
}

/** What a field says of itself; the server reads some properties once and looks the others up. */
function Field({ refused }: { refused: boolean }) {
  const { fields } = useCheckedForm<"email">({
    id: "order",
    lastResult: refused ? lastResult : null,
    defaultValue: { email: "ana@example.test" },
    check: () => ({}),
  })
  const { id, name, formId, errorId, errors, descriptionId, valid, value, required } = fields.email
  const again = fields.email
  const isSame = again === fields.email
  const shown = { id, name, formId, errorId, errors, descriptionId, valid, value, required, isSame }
  return (
    <>
      <input {...getInputProps(fields.email, { type: "email", ariaDescribedBy: "note" })} />
      <output>{JSON.stringify(shown)}</output>
    </>
  )
}

const shownOf = (html: string) =>
  JSON.parse((/<output>(.*)<\/output>/.exec(html)?.[1] ?? "").replaceAll("&quot;", '"'))

test("a field on the server has conform's ids, value and attributes, and is built once", () => {
  const html = renderToString(<Field refused={false} />)
  expect(html).toContain(
    '<input id="order-email" form="order" aria-describedby="note" type="email" name="email" value="ana@example.test"/>',
  )
  expect(shownOf(html)).toEqual({
    id: "order-email",
    name: "email",
    formId: "order",
    errorId: "order-email-error",
    descriptionId: "order-email-description",
    valid: true,
    value: "ana@example.test",
    isSame: true,
  })
})

test("a refused field has its error and what was typed", () => {
  const html = renderToString(<Field refused={true} />)
  expect(html).toContain('aria-invalid="true" aria-describedby="order-email-error note"')
  expect(html).toContain('value="ana at example"')
  expect(shownOf(html)).toMatchObject({ errors: ["checkout.email.invalid"], valid: false })
})
