import { getInputProps } from "@conform-to/react"
import { Form, Link } from "react-router"
import { EMAIL_LENGTH } from "~/domain/customers/email"
import { emailRule } from "~/domain/forms/field-rules"
import { CORRECT_EMAIL } from "~/domain/orders/screen-paths"
import { type RefusedForm, resultFor } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { HoneypotField } from "../form/honeypot-field"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { AddressText } from "../layout/address-text"
import { SupportLink } from "../layout/support-link"

export type OrderEmailShown = {
  email: string
  isCorrectable: boolean
  /** Mail to it comes back. */
  isUnreachable: boolean
  /** The form is open: asked for by the URL, so that a page without script does not reload while somebody types. */
  isOpen: boolean
}

type OrderEmailProps = {
  /** Null shows nothing: the session did not place the order. */
  shown: OrderEmailShown | null
  lastResult: RefusedForm | null | undefined
}

/** The e-mail of an order, with a link to the form that corrects it, or that form. */
export function OrderEmail({ shown, lastResult }: OrderEmailProps) {
  const { t } = useTranslation()
  const refused = resultFor("email", lastResult)
  if (!shown) return null
  const { email, isCorrectable, isUnreachable, isOpen } = shown
  const isShown = refused || (isCorrectable && isOpen)
  return (
    <div className="order-email">
      {!isShown && (
        <p className="note">
          <AddressText text={t("orderEmail.sentTo", { email })} />{" "}
          {isCorrectable && (
            <Link to={`?${CORRECT_EMAIL}`} preventScrollReset>
              {t("orderEmail.change")}
            </Link>
          )}
        </p>
      )}
      {isUnreachable && (
        <div className="warning" role="status">
          <p>{t("orderEmail.unreachable")}</p>
        </div>
      )}
      {isShown && <CorrectionForm email={email} refused={refused} />}
    </div>
  )
}

/** Refusal of an e-mail that only support can correct. */
const NOT_CORRECTABLE = "orderEmail.refused"

const check = (typed: TypedText<"email">) => ({ email: emailRule(typed("email")) })

function CorrectionForm({ email, refused }: { email: string; refused: RefusedForm | null | undefined }) {
  const { t } = useTranslation()
  const { fields, formProps } = useCheckedForm({
    id: "order-email",
    lastResult: refused,
    defaultValue: { email },
    check,
  })
  return (
    <Form method="post" preventScrollReset {...formProps}>
      <label className="field" htmlFor={fields.email.id}>
        {t("orderEmail.label")}
      </label>
      <input
        {...getInputProps(fields.email, { type: "email" })}
        inputMode="email"
        autoComplete="email"
        // biome-ignore lint/a11y/noAutofocus: the form was asked for, and without the focus the page would jump to its heading.
        autoFocus
        required
        maxLength={EMAIL_LENGTH}
      />
      <FieldError field={fields.email} />
      {refused?.error?.email?.includes(NOT_CORRECTABLE) && <SupportLink />}
      <HoneypotField lastResult={refused} />
      <button name="intent" value="email">
        {t("orderEmail.save")}
      </button>
      <Link className="quiet" to="?" preventScrollReset>
        {t("orderEmail.keep")}
      </Link>
    </Form>
  )
}
