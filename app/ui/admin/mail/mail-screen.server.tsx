import type { MailListed } from "~/billing/orders/order-admin"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice } from "../form-parts.server"
import { Fact } from "../list-parts.server"
import { orderHref } from "../record-links.server"

type MailProps = {
  mail: MailListed
  /** Whether the role may send it again, and the shop sends mail. */
  mayResend: boolean
  formKey: string
  seen: string
  notice: ActionNotice | null
  /** The form that was refused. */
  refused: { readonly reason: string } | null
  timeZone: string
}

/** A message: to whom, what became of it, and sending it again. */
export function MailScreen({ mail, mayResend, formKey, seen, notice, refused, timeZone }: MailProps) {
  const { name, email, state, tries, reason, orderId, createdAt, settledAt } = mail
  const stateText = t(`mail.states.${state}`)
  return (
    <>
      <div className="title">
        <h1>{t(`mail.names.${name}`)}</h1>
        <p>{stateText}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <dl className="facts">
          <Fact name="mail.to">{email ?? t("mail.operator")}</Fact>
          <Fact name="mail.state">{stateText}</Fact>
          <Fact name="mail.tries">{tries}</Fact>
          <Fact name="mail.answer">{reason ?? t("mail.noAnswer")}</Fact>
          <Fact name="mail.order">
            {orderId === null ? t("mail.noOrder") : <a href={orderHref(orderId)}>{orderId}</a>}
          </Fact>
          <Fact name="mail.created">{localText(createdAt, timeZone)}</Fact>
          <Fact name="mail.settled">
            {settledAt === null ? t("mail.open") : localText(settledAt, timeZone)}
          </Fact>
        </dl>
      </section>
      <section className="card">
        <h2>{t("action.title")}</h2>
        {mayResend ? (
          <ActionForm
            action="resend-mail"
            name={t("mail.actions.resend-mail")}
            now={t("mail.stateNow", { state: stateText, tries })}
            after={t("mail.after.resend-mail")}
            formKey={formKey}
            seen={seen}
            refused={refused}
            proof={null}
          />
        ) : (
          <p>{t("action.nothing")}</p>
        )}
      </section>
      <p>
        <a href={consoleHref("/admin/mail")}>{t("mail.toList")}</a>
      </p>
    </>
  )
}
