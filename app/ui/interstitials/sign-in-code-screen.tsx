import { getInputProps } from "@conform-to/react"
import { codeRule } from "~/domain/forms/field-rules"
import type { RefusedForm } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { HoneypotField } from "../form/honeypot-field"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { AddressText } from "../layout/address-text"
import { describedByProblem, FormProblem } from "./form-problem"

type Code = {
  /** As typed. */
  email: string
  /** The visitor has asked for another message. */
  isSentAgain: boolean
  lastResult: RefusedForm | null
  retryAfterSeconds: number
  /** URL of the forms. */
  action: string
  /** Address that the message comes from. */
  sender: string
  /** The operator's support contact; null if none is configured. */
  support: string | null
}

/** Longer than a code that was copied with the words around it. */
const TYPED_LENGTH = 20

/** Stands for the e-mail while the sentence is translated, so that the e-mail can be marked up. */
const MARK = "\uE000"

const check = (typed: TypedText<"code">) => ({ code: codeRule(typed("code")) })

/** Asks for the code of a sign-in message. It reads the same whether or not there is such a customer. */
export function SignInCodeScreen({ email, isSentAgain, sender, support, action, ...answer }: Code) {
  const { t } = useTranslation()
  const [before, after] = t("signIn.code.lead", { email: MARK }).split(MARK)
  return (
    <>
      <section className="card sign-in">
        <h1>{t("signIn.code.heading")}</h1>
        <p className="lead">
          {before}
          <strong>
            <AddressText text={email} />
          </strong>
          {after}
        </p>
        {isSentAgain && <p role="status">{t("signIn.code.sentAgain")}</p>}
        <CodeForm action={action} {...answer} />
      </section>
      <section className="card sign-in ways">
        <h2>{t("signIn.code.nothing")}</h2>
        <p>
          <AddressText text={t("signIn.code.spam", { sender })} />
        </p>
        <ul>
          <li>
            <form method="post" action={action}>
              <input type="hidden" name="email" value={email} />
              <HoneypotField lastResult={null} />
              <button name="intent" value="sign-in-mail">
                {t("signIn.code.again")}
              </button>
            </form>
          </li>
          <li>
            <a href={`${action}=email`}>{t("signIn.code.other")}</a>
          </li>
          {support && (
            <li>
              <a href={support} rel="noreferrer">
                {t("signIn.code.support")}
              </a>
            </li>
          )}
        </ul>
      </section>
    </>
  )
}

function CodeForm({
  lastResult,
  retryAfterSeconds,
  action,
}: Pick<Code, "lastResult" | "retryAfterSeconds" | "action">) {
  const { t } = useTranslation()
  const { form, fields, formProps } = useCheckedForm({ id: "sign-in-code", lastResult, check })
  const { code } = fields
  const noteId = `${code.id}-note`
  const { ariaDescribedBy = noteId } = describedByProblem(form, lastResult)
  return (
    <>
      <FormProblem form={form} lastResult={lastResult} retryAfterSeconds={retryAfterSeconds} />
      <form method="post" action={action} {...formProps}>
        <label className="field" htmlFor={code.id}>
          {t("signIn.code.label")}
        </label>
        <input
          {...getInputProps(code, { type: "text", ariaDescribedBy })}
          className="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={TYPED_LENGTH}
        />
        <FieldError field={code} />
        <p className="note" id={noteId}>
          {t("signIn.code.note")}
        </p>
        <button className="main" name="intent" value="sign-in-code">
          {t("signIn.code.submit")}
        </button>
      </form>
    </>
  )
}
