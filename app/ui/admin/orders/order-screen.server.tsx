import { Fragment, type ReactNode } from "react"
import { documentSums } from "~/domain/accounting/tax-document"
import type { Business } from "~/domain/customers/business"
import { buyerCountry } from "~/domain/customers/country"
import { localText } from "~/domain/local-time"
import { percentText } from "~/domain/money/basis-points"
import { type Currency, type Money, money, toDecimal } from "~/domain/money/money"
import type { OrderAction } from "~/domain/orders/order-actions"
import { paidStatuses } from "~/domain/orders/order-status"
import { type OrderTax, type TaxAtRate, taxByRate, taxOwedBack, taxTotal } from "~/domain/orders/order-tax"
import { outstanding } from "~/domain/orders/settlement"
import { isMarkedPaid } from "~/domain/orders/timeline"
import { waivableRest } from "~/domain/orders/waived-rest"
import type { Service } from "~/domain/services/service"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { countryText } from "../country-text.server"
import { FormKey, FormNotice, Notice, OPEN_FORM, ProofFields, ReasonField } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { Fact, ListTable } from "../list-parts.server"
import { OpenRequests } from "../operators/open-requests.server"
import { customerHref, orderHref, serviceHref } from "../record-links.server"
import { ServicePill } from "../services/services-screen.server"
import { ChargebackNotice } from "./chargeback-notice.server"
import { OrderNotes } from "./order-notes.server"
import type { OrderScreenProps } from "./order-screen-props.server"
import { StatusPill } from "./orders-screen.server"

/** One order: what it is, what has happened, and what can be done. */
export function OrderScreen(props: OrderScreenProps) {
  const { view, notice } = props
  return (
    <>
      <div>
        <p>
          <a href={consoleHref("/admin/orders")}>{t("orders.title")}</a>
        </p>
        <div className="title">
          <h1>{t("order.title", { number: view.order.id })}</h1>
          <StatusPill status={view.order.status} />
        </div>
      </div>
      <FormNotice notice={notice} />
      {/* Script shows it when somebody else, or the gateway, has changed the order meanwhile. */}
      <p className="notice" role="status" data-stale={props.seen} hidden>
        {t("order.changed")} <a href={orderHref(view.order.id)}>{t("order.lookAgain")}</a>
      </p>
      {view.accountCredit
        .filter(({ minor }) => minor < 0)
        .map((amount) => (
          <Notice key={amount.currency} kind="warning">
            {t("order.negativeCredit", { amount: amountText(amount) })}
          </Notice>
        ))}
      {view.order.tax && taxOwedBack(view.order.tax) > 0 && (
        <Notice kind="warning">
          {t("order.taxBack", {
            amount: amountText(money(taxOwedBack(view.order.tax), view.order.total.currency)),
          })}
        </Notice>
      )}
      <ChargebackNotice {...props} />
      <OpenRequests {...props} />
      <div className="with-side">
        <div>
          <Facts {...props} />
          <Documents {...props} />
        </div>
        <div>
          <Actions {...props} />
          <Customer {...props} />
          <OrderNotes {...props} />
        </div>
        <div>
          <Timeline {...props} />
          <Ledger {...props} />
        </div>
      </div>
    </>
  )
}

function Facts({ view, timeZone }: OrderScreenProps) {
  const { order, lines, creditMovements } = view
  const { total } = order
  const [used, became] = creditSums(creditMovements)
  return (
    <section className="card">
      <dl className="facts">
        <Fact name="order.total">{amountText(total)}</Fact>
        {order.tax && <Fact name="order.tax">{taxText(order.tax, total.currency)}</Fact>}
        {order.externalTax && (
          <Fact name="order.tax">{externalTaxText(order.externalTax, total.currency)}</Fact>
        )}
        {order.tax?.buyer.business && (
          <Fact name="order.business">{businessText(order.tax.buyer.business, timeZone)}</Fact>
        )}
        <Fact name="order.received">{amountText(received(view))}</Fact>
        <Fact name="order.paidWith">{gatewayName(order.gateway)}</Fact>
        <Fact name="order.placed">{localText(order.placedAt, timeZone)}</Fact>
        {!paidStatuses.includes(order.status) && (
          <Fact name="order.deadline">{localText(order.deadline, timeZone)}</Fact>
        )}
        {used !== 0 && <Fact name="order.fromCredit">{amountText(money(used, total.currency))}</Fact>}
        {became !== 0 && <Fact name="order.becameCredit">{amountText(money(became, total.currency))}</Fact>}
        {order.trialHours !== undefined && (
          <Fact name="order.trial">{t("order.trialHours", { hours: order.trialHours })}</Fact>
        )}
        <Fact name="order.lines">{lines.join(", ")}</Fact>
      </dl>
    </section>
  )
}

/** Account credit that pays for the order, without what was given back of it, and what became account credit, in minor units. */
function creditSums(movements: readonly CreditMovement[]): readonly [number, number] {
  const isOfUse = ({ cause }: CreditMovement) => cause === "used" || cause === "returned"
  const sumOf = (of: readonly CreditMovement[]) => of.reduce((sum, { amount }) => sum + amount.minor, 0)
  return [0 - sumOf(movements.filter(isOfUse)), sumOf(movements.filter((it) => !isOfUse(it)))]
}

/** Invoices and credit notes, as pages and files. */
function Documents({ view: { documents, order, hasProforma }, timeZone }: OrderScreenProps) {
  const address = `${orderHref(order.id)}/documents`
  if (hasProforma) {
    return (
      <section className="card">
        <h2>{t("order.documents")}</h2>
        <p>
          <a href={`${address}/proforma`}>{t("order.proforma")}</a>{" "}
          <a href={`${address}/proforma.pdf`}>{t("order.documentForms.pdf")}</a>
        </p>
      </section>
    )
  }
  if (documents.length === 0) return null
  return (
    <section className="card">
      <h2>{t("order.documents")}</h2>
      <ListTable
        label={t("order.documents")}
        heads={[
          { text: "order.documentNumber" },
          { text: "order.documentDay" },
          { text: "order.documentGross", isNumber: true },
          { text: "order.documentFiles" },
        ]}
      >
        {documents.map(({ kind, number, issuedAt, lines, currency }) => (
          <tr key={number}>
            <td>
              <a href={`${address}/${number}`}>
                {t(`order.documentKinds.${kind}`)} {number}
              </a>
            </td>
            <td>{localText(issuedAt, timeZone)}</td>
            <td className="number">{amountText(money(documentSums(lines).gross, currency))}</td>
            <td>
              <a href={`${address}/${number}.pdf`}>{t("order.documentForms.pdf")}</a>{" "}
              <a href={`${address}/${number}.xml`}>{t("order.documentForms.xml")}</a>
            </td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}

/** "12.61 EUR (Germany (DE) 19 %, DE123456789)", and the buyer's countries if they differ. */
function taxText(tax: OrderTax, currency: Currency): string {
  const { place, buyer } = tax
  const rates = taxByRate(tax).map((rate) => percentText(rate.basisPoints))
  const where =
    place.kind === "taxed"
      ? `${placeText(tax)} ${rates.join(", ")}, ${place.registration}`
      : `${countryText(place.country)}, ${t(`order.untaxed.${place.kind}`)}`
  const { named, located, confirmed } = buyer
  const text = `${amountText(money(taxTotal(tax).tax, currency))} (${where})`
  if (named === null || located === null || named === located) return text
  const differ = `${text} ${t("order.countriesDiffer", { named: countryText(named), located: countryText(located) })}`
  return confirmed === named
    ? `${differ} ${t("order.countryConfirmed", { named: countryText(named) })}`
    : differ
}

/** "Lumière SARL, 1 rue de la Paix, 75002 Paris. FR40303265045: confirmed, 2026-11-27 17:20, request WAPIAAAAY1". */
function businessText({ company, address, taxNumber, check }: Business, timeZone: string): string {
  const answer = t(`order.numberAnswers.${check.result}`)
  const number = t("order.numberCheck", { number: taxNumber, answer, at: localText(check.at, timeZone) })
  const request = check.requestId === null ? [] : [t("order.requestId", { id: check.requestId })]
  // An erased company has no name any more.
  const who = [company, ...address].filter((it) => it !== "").join(", ")
  return [who === "" ? number : `${who}. ${number}`, ...request].join(", ")
}

/** "Spain (ES), Canarias": the region counts in the buyer's own country. */
function placeText({ place: { country }, buyer }: OrderTax): string {
  const isOwn = country === buyerCountry(buyer)
  return buyer.region && isOwn ? `${countryText(country)}, ${buyer.region}` : countryText(country)
}

/** "12.61 EUR (19 %, by the billing system)". */
function externalTaxText(taxes: readonly TaxAtRate[], currency: Currency): string {
  const rates = taxes.flatMap(({ basisPoints }) => (basisPoints === null ? [] : [percentText(basisPoints)]))
  const sum = taxes.reduce((all, { amount }) => all + amount, 0)
  return `${amountText(money(sum, currency))} (${[...rates, t("order.taxedThere")].join(", ")})`
}

function Timeline({ view, timeZone }: OrderScreenProps) {
  return (
    <section className="card">
      <div className="title">
        <h2>{t("order.timeline")}</h2>
        <a href={`${orderHref(view.order.id)}/timeline.csv`}>{t("order.download")}</a>
      </div>
      <ol className="rows timeline">
        {view.happened.map(({ at, what, name, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two lines may be equal
          <li key={index}>
            <div className="grow">
              <strong>{name}</strong> <small>{t(`order.sources.${what}`)}</small>
              {detail !== "" && <p>{detail}</p>}
            </div>
            <time dateTime={new Date(at).toISOString()}>{localText(at, timeZone)}</time>
          </li>
        ))}
      </ol>
    </section>
  )
}

type LedgerRow = { readonly at: number; readonly what: string; readonly amount: Money }

/** Each movement of money and account credit, with the balance after it. */
function Ledger({ view, timeZone }: OrderScreenProps) {
  const { total } = view.order
  let open = 0
  const rows = ledgerRows(view).map((row) => {
    open += row.amount.minor
    return { ...row, open: money(open, total.currency) }
  })
  return (
    <section className="card">
      <h2>{t("order.ledger")}</h2>
      {rows.length === 1 && <p>{t("order.ledgerEmpty")}</p>}
      {isMarkedPaid(view.timeline) && !hasOutsideEntry(view) && open < 0 && <p>{t("order.ledgerMarked")}</p>}
      <ListTable
        label={t("order.ledger")}
        heads={[
          { text: "order.when" },
          { text: "order.what" },
          { text: "order.amount", isNumber: true },
          { text: "order.balance", isNumber: true },
        ]}
      >
        {rows.map(({ at, what, amount, open: left }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two rows may be equal
          <tr key={index}>
            <td>{localText(at, timeZone)}</td>
            <td className="breaks">{what}</td>
            <td className="number" data-label={t("order.amount")}>
              {amountText(amount)}
            </td>
            <td className="number" data-label={t("order.balance")}>
              {amountText(left)}
            </td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}

/** Earlier versions have marked orders as paid without an entry. */
function hasOutsideEntry({ movements }: OrderScreenProps["view"]): boolean {
  return movements.some(({ gateway, amount }) => gateway === null && amount.minor > 0)
}

/** The invoice, payments and refunds, and account credit, by their times: what is used comes before payments, what is given after them. */
function ledgerRows(view: OrderScreenProps["view"]): readonly LedgerRow[] {
  const { order, movements, creditMovements } = view
  const { placedAt, total } = order
  const invoice = { at: placedAt, what: t("order.invoice"), amount: negated(total) }
  const paid = movements.map(({ bookedAt, amount, gateway, transactionId }) => ({
    at: bookedAt,
    what:
      gateway === null
        ? outsideText(amount)
        : [gatewayName(gateway), transactionId].filter(Boolean).join(" "),
    amount,
  }))
  const rowOf = ({ at, cause, amount }: CreditMovement) => ({
    at,
    what: `${t("accounting.kinds.credit")}, ${t(`accounting.causes.${cause}`)}`,
    amount: negated(amount),
  })
  const used = creditMovements.filter(isUse).map(rowOf)
  const others = creditMovements.filter((it) => !isUse(it)).map(rowOf)
  const moved = [...used, ...paid, ...waivedRows(view), ...others].toSorted((one, other) => one.at - other.at)
  return [invoice, ...moved]
}

/** What nobody has paid, since an operator has waived it: no money, and the end of what is due. */
function waivedRows({ timeline }: OrderScreenProps["view"]): readonly LedgerRow[] {
  return timeline.flatMap(({ kind, at, amount }) =>
    kind === "rest-waived" && amount ? [{ at, what: t("order.restWaived"), amount }] : [],
  )
}

type CreditMovement = OrderScreenProps["view"]["creditMovements"][number]

function isUse({ cause }: CreditMovement): boolean {
  return cause === "used"
}

function negated({ minor, currency }: Money): Money {
  return money(-minor, currency)
}

function outsideText({ minor }: Money): string {
  return t(minor < 0 ? "order.paidBackElsewhere" : "order.receivedElsewhere")
}

function Actions(props: OrderScreenProps) {
  const { actions } = props
  return (
    <section className="card">
      <h2>{t("order.actions")}</h2>
      {actions.length === 0 && <p>{t("order.nothing")}</p>}
      {actions.map((action) => (
        <ActionForm key={action} action={action} {...props} />
      ))}
    </section>
  )
}

const destroying: readonly OrderAction[] = ["cancel-order", "refuse-order", "discard-job"]

/** Opened, it asks for the reason and shows what is now and what is after. The refused one stays open with what was typed. */
function ActionForm({ action, ...props }: { action: OrderAction } & OrderScreenProps) {
  const { view, newKey, proof, typed } = props
  const isRefused = typed?.action === action
  return (
    <details className="action" id={isRefused ? OPEN_FORM : undefined} open={isRefused}>
      <summary>{t(`order.action.${action}.name`)}</summary>
      <form method="post">
        <FormKey value={newKey()} />
        <input type="hidden" name="action" value={action} />
        <input
          type="hidden"
          name="seen"
          value={action === "resend-mail" ? props.seenWithMails : props.seen}
        />
        <Particulars
          action={action}
          view={view}
          typed={isRefused ? typed : null}
          mayEndService={props.mayEndService}
          refundWays={props.refundWays}
          isBilledElsewhere={props.isBilledElsewhere}
        />
        {action !== "poll-order" && (
          <ReasonField id={`${action}-reason`} value={isRefused ? typed.reason : ""} />
        )}
        <dl className="change">
          <dt>{t("order.now")}</dt>
          <dd>
            {t(`order.statuses.${view.order.status}`)}, {amountText(received(view))} /{" "}
            {amountText(view.order.total)}
          </dd>
          <dt>{t("order.after")}</dt>
          <dd>{t(`order.action.${action}.after`)}</dd>
        </dl>
        {props.provenActions.includes(action) && (
          <ProofFields isProven={proof.isProven} problem={isRefused ? proof.problem : null} form={action} />
        )}
        <button className={destroying.includes(action) ? "button destroys" : "button main"} type="submit">
          {t(`order.action.${action}.name`)}
        </button>
      </form>
    </details>
  )
}

/** What gateways and the operator have received for an order, less what was paid back. */
function received({
  order: { total },
  movements,
}: Pick<OrderScreenProps["view"], "order" | "movements">): Money {
  return money(
    movements.reduce((sum, { amount }) => sum + amount.minor, 0),
    total.currency,
  )
}

type ParticularsProps = Pick<
  OrderScreenProps,
  "view" | "typed" | "mayEndService" | "refundWays" | "isBilledElsewhere"
> & { action: OrderAction }

/** Fields that only this action has. */
function Particulars(props: ParticularsProps) {
  const { action, view, typed, mayEndService, refundWays } = props
  switch (action) {
    case "refund-order":
      return (
        <>
          <p className="field">
            <label htmlFor="amount">{t("order.refundAmount")}</label>
            <input
              id="amount"
              name="amount"
              inputMode="decimal"
              required
              defaultValue={typed?.amount ?? refundableText(props)}
              maxLength={20}
            />
          </p>
          <RefundWays view={view} typed={typed} refundWays={refundWays} />
          {props.isBilledElsewhere && <p>{t("order.refund.alsoThere")}</p>}
          {mayEndService && (
            <Check name="endService" textKey="order.endService" isTicked={typed?.endsService} />
          )}
        </>
      )
    case "mark-order-paid":
    case "waive-rest":
      return (
        <>
          <Booked action={action} view={view} />
          <Check name="force" textKey="order.force" isTicked={typed?.force} />
        </>
      )
    case "cancel-order":
      return <Check name="force" textKey="order.force" isTicked={typed?.force} />
    case "resend-mail":
      return (
        <Target textKey="order.message" action={action} chosen={typed?.target}>
          {view.mails.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {[t(`mail.names.${name}`), email].filter(Boolean).join(", ")}
            </option>
          ))}
        </Target>
      )
    case "dismiss-refund":
      return (
        <Target textKey="order.refusedRefund" action={action} chosen={typed?.target}>
          {view.gatewayRefunds
            .filter(({ state }) => state === "refused")
            .map(({ id, gateway, amount, detail }) => (
              <option key={id} value={id}>
                {[amountText(amount), gatewayName(gateway), detail].filter(Boolean).join(", ")}
              </option>
            ))}
        </Target>
      )
    case "discard-job":
      return (
        <Target textKey="order.job" action={action} chosen={typed?.target}>
          {view.jobs
            .filter(({ state }) => state === "parked")
            .map(({ id, topic, reason }) => (
              <option key={id} value={id}>
                {[t(`jobs.topics.${topic}`), reason].filter(Boolean).join(", ")}
              </option>
            ))}
        </Target>
      )
    default:
      return null
  }
}

/** What an action that pays an order without its gateway books, before it is done. */
function Booked({
  action,
  view: { order },
}: Pick<ParticularsProps, "view"> & { action: "mark-order-paid" | "waive-rest" }) {
  const amount = amountText(outstanding(order))
  if (action === "waive-rest") return <p>{t("order.waiveRest", { amount })}</p>
  return (
    <p>
      {t("order.markPaid.books", { amount })} {waivableRest(order) && t("order.markPaid.orWaive")}
    </p>
  )
}

type RefundWayName = "gateway" | "hand" | "credit"
type RefundWaysProps = Pick<ParticularsProps, "view" | "refundWays" | "typed">

/**
 * Who pays the money back: the gateway, where its API does it, or the operator, who notes it; or the customer has it as account credit.
 */
function RefundWays(props: RefundWaysProps) {
  const { view, refundWays, typed } = props
  const ways = waysOf(props)
  const [first, ...others] = ways
  if (first && others.length === 0)
    return (
      <>
        <input type="hidden" name="way" value={first} />
        <p>
          {first === "hand" && view.refundable.outside.minor === 0
            ? t("order.refund.byHandOnly")
            : wayText(first, props)}
        </p>
      </>
    )
  const chosen = typed ? wayIn(typed) : first
  const [gateway] = refundWays
  return (
    <fieldset>
      <legend>{t("order.refund.who")}</legend>
      {ways.map((way) => (
        <Fragment key={way}>
          <label className="check">
            <input type="radio" name="way" value={way} defaultChecked={way === chosen} />{" "}
            {wayText(way, { view, refundWays })}
          </label>
          {way === "gateway" && gateway?.needsAddress && (
            <p className="field">
              <label htmlFor="address">{t("order.refund.address")}</label>
              <input
                id="address"
                name="address"
                maxLength={200}
                spellCheck={false}
                autoComplete="off"
                defaultValue={typed?.address}
              />
            </p>
          )}
        </Fragment>
      ))}
    </fieldset>
  )
}

function waysOf({ view: { refundable }, refundWays }: RefundWaysProps): readonly RefundWayName[] {
  const { received, outside } = refundable
  return [
    ...(refundWays.length > 0 && received.minor > 0 ? (["gateway"] as const) : []),
    ...(received.minor + outside.minor > 0 ? (["hand"] as const) : []),
    ...(refundable.credit.minor > 0 ? (["credit"] as const) : []),
  ]
}

function wayIn({ throughGateway, toCredit }: NonNullable<OrderScreenProps["typed"]>): RefundWayName {
  if (throughGateway) return "gateway"
  return toCredit ? "credit" : "hand"
}

function wayText(
  way: RefundWayName,
  { view, refundWays: [gateway] }: Omit<RefundWaysProps, "typed">,
): string {
  const amount = amountText(mostIn(way, { view, refundWays: gateway ? [gateway] : [] }))
  if (way === "credit") return t("order.refund.toCredit", { amount })
  if (way === "gateway" && gateway)
    return t(gateway.isWholeOnly ? "order.refund.wholeGateway" : "order.refund.gateway", {
      gateway: gatewayName(gateway.id),
      amount,
    })
  return t(view.refundable.outside.minor > 0 ? "order.refund.byHandElsewhere" : "order.refund.byHand", {
    amount,
  })
}

/** The most that goes back at once in a way. */
function mostIn(way: RefundWayName, { view, refundWays: [gateway] }: Omit<RefundWaysProps, "typed">): Money {
  const { credit, outside } = view.refundable
  if (way === "credit") return credit
  if (way === "gateway" && gateway) return mostOf(view, gateway.received)
  return outside.minor > 0 ? outside : mostByHand(view)
}

/** What can be refunded in the way that is chosen first: most refunds are of all. */
function refundableText(props: RefundWaysProps): string | undefined {
  const [first] = waysOf(props)
  return first && toDecimal(mostIn(first, props))
}

/** A refund is of one payment. */
function mostByHand({ attempts, refundable: { received: left } }: OrderScreenProps["view"]): Money {
  return money(Math.min(left.minor, Math.max(...attempts.map((it) => it.received.minor))), left.currency)
}

/** What is left of a payment, and of the order. */
function mostOf({ refundable: { received: left } }: OrderScreenProps["view"], payment: Money): Money {
  return money(Math.min(left.minor, payment.minor), left.currency)
}

type CheckProps = { name: "force" | "endService"; textKey: ConsoleText; isTicked: boolean | undefined }

function Check({ name, textKey, isTicked }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value="on" defaultChecked={isTicked} /> {t(textKey)}
    </label>
  )
}

type TargetProps = {
  textKey: ConsoleText
  action: OrderAction
  chosen: string | undefined
  children: ReactNode
}

function Target({ textKey, action, chosen, children }: TargetProps) {
  return (
    <p className="field">
      <label htmlFor={`${action}-target`}>{t(textKey)}</label>
      <select id={`${action}-target`} name="target" defaultValue={chosen}>
        {children}
      </select>
    </p>
  )
}

function Customer({ view }: OrderScreenProps) {
  const { order, email, address, service, affiliateId } = view
  return (
    <section className="card">
      <h2>{t("order.customer")}</h2>
      <p className="ink">
        <a href={customerHref(order.customerId)}>{email}</a>
      </p>
      <dl className="facts">
        <Fact name="order.country">{address ?? "–"}</Fact>
        <Fact name="order.service">
          {service ? <OrderedService service={service} /> : t("order.noService")}
        </Fact>
        {affiliateId !== null && <Fact name="order.affiliate">{affiliateId}</Fact>}
      </dl>
    </section>
  )
}

function OrderedService({ service }: { service: Service }) {
  const { id, name, username, status } = service
  return (
    <>
      <a href={serviceHref(id)}>{name}</a> {username} <ServicePill status={status} />
    </>
  )
}
