import type { MailListed } from "~/billing/orders/order-admin"
import { localText } from "~/domain/local-time"
import { mailStates } from "~/domain/shop/mail"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, Notice } from "../form-parts.server"
import { type ListLinks, ListPages, ListTable } from "../list-parts.server"
import { mailHref } from "../record-links.server"

type MailsProps = {
  typed: { readonly state: string; readonly address: string }
  /** Labels of fields that were not valid. */
  invalid: readonly string[]
  /** The beginning of an address finds nothing. */
  wholeAddresses: boolean
  mails: readonly MailListed[]
  links: ListLinks
  /** Whether the shop has a mail server. */
  isSending: boolean
  notice: ActionNotice | null
  /** The form that sends a test message; null: the operator may not, or the shop has no mail server. */
  test: TestMailProps | null
  timeZone: string
}

type TestMailProps = {
  email: string
  formKey: string
  /** The form that was refused. */
  refused: { readonly reason: string } | null
}

/** The mail log, newest first. */
export function MailsScreen({ typed, invalid, wholeAddresses, mails, links, ...props }: MailsProps) {
  const { isSending, notice, test, timeZone } = props
  return (
    <>
      <div className="title">
        <h1>{t("mail.title")}</h1>
        <p>{t("mail.lead")}</p>
      </div>
      {!isSending && <Notice kind="warning">{t("mail.none")}</Notice>}
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        <Filter typed={typed} wholeAddresses={wholeAddresses} />
      </section>
      {invalid.length > 0 && (
        <Notice kind="warning">{t("list.invalid", { fields: invalid.join(", ") })}</Notice>
      )}
      <section className="card">
        {mails.length === 0 ? <p>{t("mail.empty")}</p> : <MailTable mails={mails} timeZone={timeZone} />}
        <ListPages links={links} />
      </section>
      {test && <TestMail {...test} />}
      <p>
        <a href={consoleHref("/admin/mail/suppressed")}>{t("mail.suppressed")}</a>{" "}
        <a href={consoleHref("/admin/jobs?about=mail")}>{t("mail.job")}</a>
      </p>
    </>
  )
}

function TestMail({ email, formKey, refused }: TestMailProps) {
  return (
    <section className="card">
      <ActionForm
        action="send-test-mail"
        name={t("mail.actions.send-test-mail")}
        now={t("mail.testNow")}
        after={t("mail.after.send-test-mail")}
        formKey={formKey}
        seen=""
        refused={refused}
        proof={null}
      >
        <TextField
          id="email"
          name="email"
          label={t("mail.testAddress")}
          value={email}
          type="email"
          maxLength={254}
        />
      </ActionForm>
    </section>
  )
}

function Filter({ typed, wholeAddresses }: Pick<MailsProps, "typed" | "wholeAddresses">) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/mail")}>
        <div className="filters">
          <p className="field">
            <label htmlFor="state">{t("mail.state")}</label>
            <select id="state" name="state" defaultValue={typed.state}>
              <option value="">{t("mail.any")}</option>
              {mailStates.map((state) => (
                <option key={state} value={state}>
                  {t(`mail.states.${state}`)}
                </option>
              ))}
            </select>
          </p>
          <AddressField value={typed.address} wholeAddresses={wholeAddresses} />
        </div>
        <div className="buttons">
          <button className="button main" type="submit">
            {t("list.apply")}
          </button>
          {(typed.state !== "" || typed.address !== "") && (
            <a href={consoleHref("/admin/mail")}>{t("list.clear")}</a>
          )}
        </div>
      </form>
    </search>
  )
}

/** An address that is sought. */
export function AddressField({ value, wholeAddresses }: { value: string; wholeAddresses: boolean }) {
  return (
    <p className="field">
      <label htmlFor="address">{t("mail.address")}</label>
      <input
        id="address"
        name="address"
        defaultValue={value}
        maxLength={254}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        aria-describedby="address-hint"
      />
      <small id="address-hint">{t(wholeAddresses ? "mail.wholeHint" : "mail.addressHint")}</small>
    </p>
  )
}

function MailTable({ mails, timeZone }: Pick<MailsProps, "mails" | "timeZone">) {
  return (
    <ListTable
      label={t("mail.title")}
      heads={[
        { text: "mail.message" },
        { text: "mail.state" },
        { text: "mail.answer" },
        { text: "mail.to" },
        { text: "mail.created" },
        { text: "mail.tries", isNumber: true },
      ]}
    >
      {mails.map(({ id, name, email, state, reason, createdAt, tries }) => (
        <tr key={id}>
          <td>
            <a href={mailHref(id)}>{t(`mail.names.${name}`)}</a>
          </td>
          <td>{t(`mail.states.${state}`)}</td>
          <td>{reason}</td>
          <td>{email ?? t("mail.operator")}</td>
          <td>{localText(createdAt, timeZone)}</td>
          <td className="number" data-label={t("mail.tries")}>
            {tries}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
