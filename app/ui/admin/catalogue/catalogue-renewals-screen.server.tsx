import type { PriceMoveRun } from "~/billing/services/price-moves"
import type { PriceMoveCount, RenewalGroup } from "~/billing/services/service-admin"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { type ActionNotice, Notice, type ProofAsked } from "../form-parts.server"
import { ListTable } from "../list-parts.server"
import { productHref, renewalsHref } from "./catalogue-parts.server"

type TypedMove = { readonly group: string; readonly price: string; readonly from: string }

/** The form that takes an announced price back, as it was refused. */
export type RefusedReturn = { readonly group: string; readonly from: number; readonly reason: string }

type RenewalsProps = {
  product: { readonly id: string; readonly name: string }
  groups: readonly RenewalGroup[]
  /** Prices that were announced or taken back, the newest first. */
  runs: readonly PriceMoveRun[]
  /** Currency and cycle of the groups, as a form names them. */
  names: readonly string[]
  /** False: the plan has no renewals, so another price would be for nobody. */
  isRenewed: boolean
  mayMove: boolean
  mayKeep: boolean
  /** The price that is to be announced; null: none was typed. */
  typed: TypedMove | null
  /** How many services it would be for; null: it was not counted. */
  count: CountedMove | null
  /** Of the form that was refused. */
  reason: string | null
  refusedReturn: RefusedReturn | null
  proof: ProofAsked
  newKey: () => string
  /** What the operator sees of the runs, for a form to tell whether another was begun since. */
  seen: string
  notice: ActionNotice | null
  timeZone: string
}

/** What the services of a plan cost at their renewal from a day on. */
export function CatalogueRenewalsScreen(props: RenewalsProps) {
  const { product, groups, isRenewed, mayMove, notice } = props
  return (
    <>
      <div className="title">
        <h1 className="breaks">{t("catalogue.renewals.title", { product: product.name })}</h1>
        <p>{t("catalogue.renewals.lead")}</p>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        {groups.length === 0 ? <p>{t("catalogue.renewals.none")}</p> : <Groups {...props} />}
      </section>
      {props.runs.length > 0 && <Runs {...props} />}
      {!isRenewed && <Notice kind="warning">{t("catalogue.renewals.notRenewed")}</Notice>}
      {mayMove && isRenewed && groups.length > 0 && <Announcement {...props} />}
      <p>
        <a href={productHref(product.id)}>{product.name}</a>
      </p>
    </>
  )
}

/** How far each price has come, and why it has ended early. */
function Runs({ runs, timeZone }: Pick<RenewalsProps, "runs" | "timeZone">) {
  const announced = runs.find(isRunning) ?? runs[0]
  return (
    <section className="card" data-live="runs" data-announcement={announced && stateText(announced)}>
      <h2>{t("catalogue.renewals.runs")}</h2>
      <ListTable
        label={t("catalogue.renewals.runs")}
        heads={[
          { text: "catalogue.renewals.begunAt" },
          { text: "catalogue.renewals.group" },
          { text: "catalogue.renewals.newPrice" },
          { text: "catalogue.renewals.from" },
          { text: "catalogue.renewals.state" },
          { text: "catalogue.renewals.done", isNumber: true },
          { text: "catalogue.renewals.notAnnounced", isNumber: true },
        ]}
      >
        {runs.map((run) => (
          <tr key={run.id}>
            <td>{`${localText(run.at, timeZone)}, ${run.operator}`}</td>
            <td>{`${run.currency} ${run.cycle}`}</td>
            <td>{run.price === null ? "–" : amountText(run.price)}</td>
            <td>{localText(run.from, timeZone)}</td>
            <td>{stateText(run)}</td>
            <td className="number" data-label={t("catalogue.renewals.done")}>
              {run.services}
            </td>
            <td className="number" data-label={t("catalogue.renewals.notAnnounced")}>
              {run.unpriced}
            </td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}

const isRunning = ({ endedAt }: PriceMoveRun) => endedAt === null

function stateText(run: PriceMoveRun): string {
  const { kind, problem } = run
  if (problem !== null) return t(`catalogue.renewals.ended.${problem}`)
  return t(`catalogue.renewals.${isRunning(run) ? "running" : "finished"}.${kind}`)
}

function Groups(props: RenewalsProps) {
  const { groups, runs, mayKeep, timeZone } = props
  return (
    <>
      <ListTable
        label={t("catalogue.renewals.services")}
        heads={[
          { text: "catalogue.renewals.group" },
          { text: "catalogue.renewals.from" },
          { text: "catalogue.renewals.services", isNumber: true },
        ]}
      >
        {groups.map(({ currency, cycle, announcedFrom, services }) => (
          <tr key={`${currency} ${cycle} ${announcedFrom}`}>
            <td>{`${currency} ${cycle}`}</td>
            <td>{announcedFrom === null ? "–" : localText(announcedFrom, timeZone)}</td>
            <td className="number" data-label={t("catalogue.renewals.services")}>
              {services}
            </td>
          </tr>
        ))}
      </ListTable>
      {mayKeep &&
        groups
          .filter((group) => !isTakenBack(group, runs))
          .map((group) => <TakeBack key={keyOf(group)} group={group} {...props} />)}
    </>
  )
}

const keyOf = ({ currency, cycle, announcedFrom }: RenewalGroup) => `${currency} ${cycle} ${announcedFrom}`

/** A run takes its announced price back at present. */
function isTakenBack(
  { currency, cycle, announcedFrom }: RenewalGroup,
  runs: readonly PriceMoveRun[],
): boolean {
  return runs.some(
    (run) =>
      run.kind === "return" &&
      isRunning(run) &&
      run.from === announcedFrom &&
      run.currency === currency &&
      run.cycle === cycle,
  )
}

function TakeBack(props: RenewalsProps & { group: RenewalGroup }) {
  const { group, product, newKey, seen, refusedReturn, proof, timeZone } = props
  const { currency, cycle, announcedFrom, services } = group
  if (announcedFrom === null) return null
  const day = localText(announcedFrom, timeZone)
  const of = `${currency} ${cycle}`
  return (
    <ActionForm
      action="keep-price"
      ids={`keep-${currency}-${cycle}-${announcedFrom}`}
      target={renewalsHref(product.id)}
      name={t("catalogue.renewals.takeBack", { of, day })}
      now={t("catalogue.renewals.announcedNow", { count: services, day })}
      after={t("service.action.keep-price.after")}
      formKey={newKey()}
      seen={seen}
      refused={refusedReturn?.group === of && refusedReturn.from === announcedFrom ? refusedReturn : null}
      proof={proof}
    >
      <input type="hidden" name="group" value={of} />
      <input type="hidden" name="from" value={announcedFrom} />
    </ActionForm>
  )
}

/** First the services are counted, which changes nothing; then the price is announced. */
function Announcement(props: RenewalsProps) {
  const { product, names, typed, count } = props
  return (
    <section className="card">
      <h2>{t("catalogue.renewals.announce")}</h2>
      <form method="get" action={renewalsHref(product.id)}>
        <p className="field">
          <label htmlFor="group">{t("catalogue.renewals.group")}</label>
          <select id="group" name="group" defaultValue={typed?.group}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </p>
        <TextField
          id="price"
          name="price"
          label={t("catalogue.renewals.price")}
          value={typed?.price}
          inputMode="decimal"
          maxLength={20}
        />
        <TextField id="from" name="from" label={t("service.from")} value={typed?.from} type="date" />
        <button className="button" type="submit">
          {t("catalogue.renewals.count")}
        </button>
      </form>
      {typed && count && <Confirmation {...props} typed={typed} count={count} />}
    </section>
  )
}

/** `isCut`: there are more. */
type CountedMove = PriceMoveCount & { readonly isCut: boolean }

type ConfirmationProps = RenewalsProps & { typed: TypedMove; count: CountedMove }

function Confirmation({ product, typed, count, reason, newKey, seen, proof }: ConfirmationProps) {
  const { services, unpriced, isCut } = count
  const { group, price, from } = typed
  const counted = isCut ? "catalogue.renewals.countedAtLeast" : "catalogue.renewals.counted"
  const left = unpriced === 0 ? [] : [t("catalogue.renewals.unpriced", { count: unpriced })]
  return (
    <ActionForm
      action="move-price"
      target={renewalsHref(product.id)}
      name={t("catalogue.renewals.announce")}
      now={[t(counted, { count: services, group, price, from }), ...left].join(" ")}
      after={t("catalogue.renewals.after")}
      formKey={newKey()}
      seen={seen}
      refused={{ reason: reason ?? "" }}
      proof={proof}
    >
      <input type="hidden" name="group" value={group} />
      <input type="hidden" name="price" value={price} />
      <input type="hidden" name="from" value={from} />
    </ActionForm>
  )
}
