import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { pathOf } from "~/domain/orders/screen-paths"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "../form/checkout-step"
import { EmailInput } from "../form/email-input"
import { NewPassword } from "../form/new-password-fields"
import { PasswordInput } from "../form/password-input"
import type { FormField } from "../form/use-checked-form"
import { AddressText } from "../layout/address-text"
import { SupportLink, useSupport } from "../layout/support-link"

export type AccountField = "email" | "existing" | "password" | "newPassword" | "confirmPassword"

type ResellerAccountProps = {
  signedInEmail: string | null
  isReseller: boolean
  existing: boolean
  /** What a plan does for who has an account. */
  furtherPlan: string
  /** The shop sends messages. */
  hasMail: boolean
  email: string
  fields: Record<AccountField, FormField>
}

/**
 * The account step: an existing account, or a new one. CSS alone shows the fields of the selected answer; hidden fields are
 * neither required nor read.
 */
export function ResellerAccountStep({
  signedInEmail,
  isReseller,
  existing,
  furtherPlan,
  hasMail,
  email,
  fields,
}: ResellerAccountProps) {
  const { t } = useTranslation()
  return (
    <Step number={2} id="account" heading={t("resellers.account.heading")}>
      {signedInEmail === null ? (
        <>
          <ExistingResellerChoice existing={existing} />
          <EmailInput field={fields.email} typed={email} />
          <div className="for-new">
            <NewPassword newPassword={fields.newPassword} confirmPassword={fields.confirmPassword} />
          </div>
          <div className="for-existing">
            <PasswordInput
              field={fields.password}
              autoComplete="current-password"
              label={t("signIn.password")}
            />
            <p className="note">{furtherPlan}</p>
            {hasMail ? <ToSignIn /> : <AskForLink />}
          </div>
        </>
      ) : (
        <p>
          <AddressText text={t("resellers.account.signedIn", { email: signedInEmail })} />
        </p>
      )}
      {isReseller && <ToAccount />}
    </Step>
  )
}

function ExistingResellerChoice({ existing }: { existing: boolean }) {
  const { t } = useTranslation()
  return (
    <fieldset className="bare yes-no">
      <legend className="field">{t("resellers.account.question")}</legend>
      <label className="choice">
        <input type="radio" name="existing" value="no" defaultChecked={!existing} />
        {t("resellers.account.no")}
      </label>
      <label className="choice">
        <input type="radio" name="existing" value="yes" defaultChecked={existing} />
        {t("resellers.account.yes")}
      </label>
    </fieldset>
  )
}

function ToAccount() {
  const { t } = useTranslation()
  return (
    <a className="quiet" href={`${BASE}${localPath(useLocale(), pathOf.reseller.success)}`}>
      {t("resellers.account.mine")}
    </a>
  )
}

/** Without mail only support can let a customer in who has no password. */
function AskForLink() {
  const { t } = useTranslation()
  if (useSupport() === null) return null
  return (
    <p className="note">
      {t("signIn.noPassword")} <SupportLink />
    </p>
  )
}

/** Leads to the sign-in by mail, and back here. */
function ToSignIn() {
  const { t } = useTranslation()
  return (
    <a className="quiet" href={`${BASE}${localPath(useLocale(), pathOf.reseller.checkout)}?signin`}>
      {t("signIn.mail.send")}
    </a>
  )
}
