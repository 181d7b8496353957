import type { ReactNode } from "react"
import { cycles } from "~/domain/catalogue/billing-cycle"
import type { ScheduledPrice } from "~/domain/catalogue/catalogue"
import { localText } from "~/domain/local-time"
import { currencies, money } from "~/domain/money/money"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { ListTable } from "../list-parts.server"

export type TypedPrices = Readonly<Record<string, string>>

export function productHref(pid: string): string {
  return consoleHref(`/admin/catalogue/products/${encodeURIComponent(pid)}`)
}

/** What the renewals of a plan's services cost from a day on. */
export function renewalsHref(pid: string): string {
  return `${productHref(pid)}/renewals`
}

/** Prices that new orders of a product have from an instant on. */
export function pricesHref(pid: string): string {
  return `${productHref(pid)}/prices`
}

type Schedule = ScheduledPrice & { readonly text: string }

/** Scheduled prices that are ahead, with who has scheduled them, when and why. */
export function ScheduleTable({ schedules, timeZone }: { schedules: readonly Schedule[]; timeZone: string }) {
  return (
    <ListTable
      label={t("catalogue.scheduled.list")}
      heads={[
        { text: "catalogue.scheduled.from" },
        { text: "catalogue.scheduled.of" },
        { text: "catalogue.price" },
        { text: "catalogue.scheduled.by" },
        { text: "versions.reason" },
      ]}
    >
      {schedules.map(({ from, text, price, currency, author, at, reason }) => (
        <tr key={`${from} ${text}`}>
          <td>{localText(from, timeZone)}</td>
          <td>{text}</td>
          <td>{amountText(money(price, currency))}</td>
          <td>
            {[at === null ? null : localText(at, timeZone), author].filter((it) => it !== null).join(", ") ||
              "–"}
          </td>
          <td>{reason ?? "–"}</td>
        </tr>
      ))}
    </ListTable>
  )
}

export function optionHref(id: string): string {
  return consoleHref(`/admin/catalogue/options/${encodeURIComponent(id)}`)
}

/** The form of a new product, with what another one has. */
export function newProductHref(list: "plans" | "resellerPlans", from?: string): string {
  const query = new URLSearchParams({ list, ...(from !== undefined && { from }) })
  return consoleHref(`/admin/catalogue/products?${query}`)
}

/** A field for the price of each currency and cycle; an empty one is not sold. */
export function PriceFields({ prefix, prices, of }: { prefix: string; prices: TypedPrices; of: string }) {
  return currencies.map((currency) => (
    <fieldset key={currency} className="prices">
      <legend>{t("catalogue.pricesIn", { of, currency })}</legend>
      {cycles.map((cycle) => {
        const name = `${prefix}.${currency}.${cycle}`
        return (
          <TextField
            key={cycle}
            id={name}
            name={name}
            label={`${currency} ${cycle}`}
            value={prices[`${currency}.${cycle}`] ?? ""}
            inputMode="decimal"
            maxLength={12}
            isOptional
          />
        )
      })}
    </fieldset>
  ))
}

/** Shows the checkout with what is typed, also without a reason and a password. */
export function PreviewButton() {
  return (
    <>
      <p>{t("catalogue.previewLead")}</p>
      <button className="button" type="submit" name="preview" value="on" formNoValidate>
        {t("catalogue.preview")}
      </button>
    </>
  )
}

export type AdditionProps = {
  mayEdit: boolean
  seen: string
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  /** What was typed as the reason of a form that was refused. */
  reason: string
}

type AdditionPageProps = AdditionProps & {
  /** Address that the form posts to, also on a page of another one. */
  target: string
  title: string
  lead: string
  /** What is after it. */
  after: string
  children: ReactNode
}

/** The page of a form that adds something to the catalogue: it is open from the start. */
export function AdditionPage({
  title,
  lead,
  after,
  mayEdit,
  notice,
  reason,
  children,
  ...form
}: AdditionPageProps) {
  return (
    <>
      <div className="title">
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        {!mayEdit && <p>{t("action.nothing")}</p>}
        {mayEdit && (
          <ActionForm
            action="edit-catalogue"
            name={t("catalogue.add")}
            now={t("catalogue.newNow")}
            after={after}
            refused={{ reason }}
            {...form}
          >
            {children}
            <PreviewButton />
          </ActionForm>
        )}
      </section>
      <ToCatalogue />
    </>
  )
}

export function ToCatalogue() {
  return (
    <p>
      <a href={consoleHref("/admin/catalogue")}>{t("catalogue.toList")}</a>
    </p>
  )
}

type BoxProps = { name: string; value: string; text: string; isTicked: boolean }

/** A box to tick. */
export function Box({ name, value, text, isTicked }: BoxProps) {
  const id = `${name}-${value}`
  return (
    <label className="check" htmlFor={id}>
      <input id={id} type="checkbox" name={name} value={value} defaultChecked={isTicked} />
      <span>{text}</span>
    </label>
  )
}
