import type { Product, ScheduledPrice } from "~/domain/catalogue/catalogue"
import { pricesText } from "~/domain/catalogue/catalogue-changes"
import { localText } from "~/domain/local-time"
import { money } from "~/domain/money/money"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { pricesHref, productHref, ScheduleTable } from "./catalogue-parts.server"

type TypedSchedule = { readonly of: string; readonly price: string; readonly from: string }

/** A scheduled price. `of`: how a form names what it is of; `text`: how people do. */
type Schedule = ScheduledPrice & { readonly of: string; readonly text: string }

type PricesProps = {
  product: Product
  /** The prices that others can be scheduled for. */
  sold: readonly { readonly of: string; readonly text: string }[]
  schedules: readonly Schedule[]
  mayChange: boolean
  seen: string
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that schedules a price, if it was refused. */
  refused: (TypedSchedule & { readonly reason: string }) | null
  /** The form that takes one back, if it was refused. */
  refusedReturn: { readonly of: string; readonly from: number; readonly reason: string } | null
  timeZone: string
}

/** What new orders of a product cost from an instant on. */
export function CataloguePricesScreen(props: PricesProps) {
  const { product, schedules, mayChange, notice, timeZone } = props
  return (
    <>
      <div className="title">
        <h1 className="breaks">{t("catalogue.scheduled.title", { product: product.name })}</h1>
        <p>{t("catalogue.scheduled.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <h2>{t("catalogue.scheduled.list")}</h2>
        {schedules.length === 0 && <p>{t("catalogue.scheduled.none")}</p>}
        {schedules.length > 0 && <ScheduleTable schedules={schedules} timeZone={timeZone} />}
        {mayChange &&
          schedules.map((it) => <TakeBack key={`${it.from} ${it.of}`} {...props} schedule={it} />)}
      </section>
      <section className="card">
        <h2>{t("action.title")}</h2>
        {mayChange ? <Scheduling {...props} /> : <p>{t("action.nothing")}</p>}
      </section>
      <p>
        <a href={productHref(product.id)}>{product.name}</a>
      </p>
    </>
  )
}

function Scheduling({ product, sold, seen, newKey, proof, refused, timeZone }: PricesProps) {
  return (
    <ActionForm
      action="schedule-price"
      target={pricesHref(product.id)}
      name={t("catalogue.scheduled.add")}
      now={pricesText(product.pricing)}
      after={t("catalogue.scheduled.addAfter")}
      formKey={newKey()}
      seen={seen}
      refused={refused}
      proof={proof}
    >
      <p className="field">
        <label htmlFor="of">{t("catalogue.scheduled.of")}</label>
        <select id="of" name="of" defaultValue={refused?.of}>
          {sold.map(({ of, text }) => (
            <option key={of} value={of}>
              {text}
            </option>
          ))}
        </select>
      </p>
      <TextField
        id="price"
        name="price"
        label={t("catalogue.scheduled.newPrice")}
        value={refused?.price}
        inputMode="decimal"
        maxLength={20}
      />
      <TextField
        id="from"
        name="from"
        label={t("catalogue.scheduled.fromIn", { timeZone })}
        value={refused?.from}
        type="datetime-local"
      />
    </ActionForm>
  )
}

function TakeBack(props: PricesProps & { schedule: Schedule }) {
  const { product, schedule, seen, newKey, proof, refusedReturn, timeZone } = props
  const { of, text, from, price, currency } = schedule
  const moment = localText(from, timeZone)
  const isRefused = refusedReturn?.of === of && refusedReturn.from === from
  return (
    <ActionForm
      action="unschedule-price"
      ids={`unschedule-${of.replaceAll(/[ /]/g, "-")}-${from}`}
      target={pricesHref(product.id)}
      name={t("catalogue.scheduled.takeBack", { of: text, moment })}
      now={t("catalogue.scheduled.takeBackNow", {
        of: text,
        moment,
        price: amountText(money(price, currency)),
      })}
      after={t("catalogue.scheduled.takeBackAfter")}
      formKey={newKey()}
      seen={seen}
      refused={isRefused ? refusedReturn : null}
      proof={proof}
    >
      <input type="hidden" name="of" value={of} />
      <input type="hidden" name="from" value={from} />
    </ActionForm>
  )
}
