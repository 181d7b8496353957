import { localText } from "~/domain/local-time"
import type { MailSuppression } from "~/domain/shop/mail"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, Notice } from "../form-parts.server"
import { ListTable } from "../list-parts.server"
import { AddressField } from "./mails-screen.server"

type SuppressedAddressesProps = {
  /** The address that is sought; empty for all. */
  sought: string
  isInvalid: boolean
  wholeAddresses: boolean
  addresses: readonly MailSuppression[]
  /** There are more. */
  isCut: boolean
  mayAllow: boolean
  formKey: string
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: { readonly email: string; readonly reason: string } | null
  timeZone: string
}

/** Addresses that get no mail, or no reminders, and since when. */
export function SuppressedAddressesScreen(props: SuppressedAddressesProps) {
  const { sought, isInvalid, wholeAddresses, addresses, isCut, mayAllow, notice } = props
  return (
    <>
      <div className="title">
        <h1>{t("mail.suppressed")}</h1>
        <p>{t("mail.suppressedLead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <search>
          <form method="get" action={consoleHref("/admin/mail/suppressed")}>
            <AddressField value={sought} wholeAddresses={wholeAddresses} />
            <div className="buttons">
              <button className="button main" type="submit">
                {t("list.apply")}
              </button>
              {sought !== "" && <a href={consoleHref("/admin/mail/suppressed")}>{t("list.clear")}</a>}
            </div>
          </form>
        </search>
      </section>
      {isInvalid && <Notice kind="warning">{t("list.invalid", { fields: t("mail.address") })}</Notice>}
      {isCut && <Notice kind="warning">{t("mail.manySuppressed", { count: addresses.length })}</Notice>}
      <section className="card">
        {addresses.length === 0 ? <p>{t("mail.noSuppressed")}</p> : <Addresses {...props} />}
      </section>
      {mayAllow && addresses.length > 0 && (
        <section className="card">
          <h2>{t("action.title")}</h2>
          <Allow {...props} />
        </section>
      )}
      <p>
        <a href={consoleHref("/admin/mail")}>{t("mail.toList")}</a>
      </p>
    </>
  )
}

function Addresses({ addresses, timeZone }: SuppressedAddressesProps) {
  return (
    <ListTable
      label={t("mail.suppressed")}
      heads={[{ text: "mail.address" }, { text: "mail.scope" }, { text: "mail.why" }, { text: "mail.since" }]}
    >
      {addresses.map(({ email, scope, reason, at }) => (
        <tr key={`${email} ${scope} ${at}`}>
          <td>{email}</td>
          <td>{t(`mail.scopes.${scope}`)}</td>
          <td>{reason}</td>
          <td>{localText(at, timeZone)}</td>
        </tr>
      ))}
    </ListTable>
  )
}

function Allow({ addresses, formKey, typed }: SuppressedAddressesProps) {
  const emails = [...new Set(addresses.map(({ email }) => email))]
  return (
    <ActionForm
      action="allow-address"
      name={t("mail.actions.allow-address")}
      now={t("mail.suppressed")}
      after={t("mail.after.allow-address")}
      formKey={formKey}
      seen=""
      refused={typed}
      proof={null}
    >
      <p className="field">
        <label htmlFor="email">{t("mail.whichAddress")}</label>
        <select id="email" name="email" required defaultValue={typed?.email}>
          {emails.map((email) => (
            <option key={email} value={email}>
              {email}
            </option>
          ))}
        </select>
      </p>
    </ActionForm>
  )
}
