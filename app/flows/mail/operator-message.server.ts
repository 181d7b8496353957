import type { MailToSend } from "~/billing/mail-repository"
import type { LoggedServices } from "~/context/services.server"
import { MINUTE } from "~/domain/calendar"
import { type Money, toDecimal } from "~/domain/money/money"
import { isOutdated, type OperatorMessage, REFUND_TO_CREDIT } from "~/domain/shop/mail"
import type { MessageContent } from "~/mail/message"

type OperatorMessageServices = Pick<LoggedServices, "billing" | "dunning" | "now">

const COMMAND = "npm run admin --"

/** What a message to the operator says: what happened, and the commands that show or mend it. Null: it is over. */
export async function forOperator(
  services: OperatorMessageServices,
  mail: MailToSend,
  name: OperatorMessage,
): Promise<MessageContent | null> {
  const about = mail.orderId ?? mail.detail ?? ""
  const show = `${COMMAND} orders show ${about}`
  const content = (detail: string, ...commands: string[]) => ({ name, about, detail, commands })
  switch (name) {
    case "operator-not-provisioned":
      return (await isOver(services, name, about))
        ? null
        : content(await notProvisioned(services, about), show, `${COMMAND} jobs retry ${about}`)
    case "operator-order-on-hold":
      return content(
        "Held by the fraud check or by a block. The timeline names the reason.",
        show,
        `${COMMAND} orders release ${about} --reason "…"`,
        `${COMMAND} orders refuse ${about} --reason "…"`,
      )
    case "operator-refund":
      return content(
        `${wentBack(mail)}${mail.detail === REFUND_TO_CREDIT ? " It is account credit." : ""}`,
        show,
      )
    case "operator-withdrawal":
      return content("The buyer has withdrawn on the shop's page.", show)
    case "operator-gateway-down":
      return content("No successful call for at least 10 minutes.", `${COMMAND} gateways check`)
    case "operator-gateway-up":
      return content("Calls succeed again.", `${COMMAND} gateways check`)
    case "operator-dunning-stopped":
      return content(
        (await services.dunning?.brake())?.detail ?? "It has been released meanwhile.",
        `${COMMAND} doctor`,
        `${COMMAND} services release-brake --reason "…"`,
      )
    case "operator-webhook-failing":
      return content("Nothing was accepted for at least an hour.", `${COMMAND} webhooks list`)
    case "operator-webhook-paused":
      return content(
        "The receiver has answered 410 Gone, or nothing was accepted for 3 days.",
        `${COMMAND} webhooks list`,
        `${COMMAND} webhooks resume ID`,
      )
    case "operator-jobs-parked":
      return content("The last try has failed.", `${COMMAND} jobs list`, `${COMMAND} jobs retry --all`)
    case "operator-access":
      return access(mail)
  }
}

/** The detail is "CHANGE EMAIL BY". */
function access({ detail }: MailToSend): MessageContent {
  const [change, about = "", ...by] = (detail ?? "").split(" ")
  const texts: Readonly<Record<string, string>> = {
    added: "Added as an owner by",
    reset: "An owner who got a new one-time link from",
    disabled: "An owner who was disabled by",
  }
  const text = `${texts[change ?? ""] ?? "Changed by"} ${by.join(" ")}.`
  const commands = [`${COMMAND} audit list`, `${COMMAND} operators disable EMAIL`]
  return { name: "operator-access", about, detail: text, commands }
}

function wentBack({ amount }: MailToSend): string {
  return amount ? `${amountText(amount)} went back to the buyer.` : "Money went back."
}

async function isOver(
  { billing }: OperatorMessageServices,
  name: OperatorMessage,
  orderId: string,
): Promise<boolean> {
  const order = await billing.order(orderId)
  return order === null || isOutdated(name, order.status)
}

async function notProvisioned({ billing, now }: OperatorMessageServices, orderId: string): Promise<string> {
  const paid = (await billing.timeline(orderId)).find(({ kind }) => kind === "paid")
  const minutes = paid ? Math.floor((now() - paid.at) / MINUTE) : 0
  return `Paid ${minutes} minutes ago.`
}

function amountText(amount: Money): string {
  return `${toDecimal(amount)} ${amount.currency}`
}
