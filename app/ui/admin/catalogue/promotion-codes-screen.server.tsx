import {
  type CodeCounts,
  type CodeState,
  codeStates,
  type OneTimeCode,
} from "~/billing/catalogue/promotion-admin"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { ListPages, ListTable } from "../list-parts.server"
import { orderHref } from "../record-links.server"
import { codeCountsText, promotionCodesHref, promotionHref } from "./promotion-parts.server"

type Action = "generate-promotion-codes" | "export-promotion-codes" | "withdraw-promotion-codes"

type CodesProps = {
  /** Of the promotion. */
  code: string
  codes: readonly OneTimeCode[]
  counts: CodeCounts
  filter: { readonly state: CodeState | undefined; readonly beginning: string }
  /** The last code of the page; null if there are no others. */
  next: string | null
  isPaged: boolean
  /** What the role of who asks allows. */
  actions: readonly Action[]
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: {
    readonly action: Action
    readonly typed: { readonly count: string; readonly prefix: string }
    readonly beginning: string
    readonly reason: string
  } | null
  timeZone: string
}

const names = {
  older: "promotionCodes.next",
  newer: "promotionCodes.first",
  newest: "promotionCodes.first",
} as const

/** The one-time codes of a promotion, and what may be done with them. */
export function PromotionCodesScreen(props: CodesProps) {
  const { code, counts, codes, filter, notice, actions } = props
  const isFiltered = filter.state !== undefined || filter.beginning !== ""
  return (
    <>
      <div className="title">
        <h1 className="breaks">{t("promotionCodes.title", { code })}</h1>
        <p>{t("promotionCodes.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <div className="with-side">
        <div>
          <section className="card">
            <p>{codeCountsText(counts)}</p>
            <Filter {...props} />
            {codes.length > 0 && <CodeTable {...props} />}
            {codes.length === 0 && isFiltered && <p>{t("promotionCodes.noneFound")}</p>}
            <ListPages links={linksOf(props)} names={names} />
          </section>
        </div>
        <div>
          <section className="card">
            <h2>{t("action.title")}</h2>
            {actions.length === 0 && <p>{t("action.nothing")}</p>}
            <Actions {...props} />
          </section>
        </div>
      </div>
      <p>
        <a href={promotionHref(code)}>{t("promotionCodes.toPromotion", { code })}</a>
      </p>
    </>
  )
}

function linksOf({ code, filter, next, isPaged }: CodesProps) {
  const address = (after: string | null) => {
    const params = new URLSearchParams()
    if (filter.state !== undefined) params.set("state", filter.state)
    if (filter.beginning !== "") params.set("beginning", filter.beginning)
    if (after !== null) params.set("after", after)
    return `${promotionCodesHref(code)}?${params}`
  }
  return { older: next === null ? null : address(next), newer: null, newest: isPaged ? address(null) : null }
}

function Filter({ code, filter }: CodesProps) {
  return (
    <search>
      <form method="get" action={promotionCodesHref(code)} className="search">
        <p className="field grow">
          <label htmlFor="code-beginning">{t("promotionCodes.beginning")}</label>
          <input
            id="code-beginning"
            name="beginning"
            defaultValue={filter.beginning}
            maxLength={64}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="characters"
          />
        </p>
        <p className="field">
          <label htmlFor="code-state">{t("promotionCodes.state")}</label>
          <select id="code-state" name="state" defaultValue={filter.state ?? ""}>
            <option value="">{t("promotionCodes.anyState")}</option>
            {codeStates.map((state) => (
              <option key={state} value={state}>
                {t(`promotionCodes.states.${state}`)}
              </option>
            ))}
          </select>
        </p>
        <button className="button main" type="submit">
          {t("promotionCodes.find")}
        </button>
        {(filter.state !== undefined || filter.beginning !== "") && (
          <a href={promotionCodesHref(code)}>{t("promotionCodes.all")}</a>
        )}
      </form>
    </search>
  )
}

const pills: Readonly<Record<CodeState, "good" | "warning" | "plain">> = {
  unused: "good",
  used: "plain",
  withdrawn: "warning",
}

function CodeTable({ code: promotion, codes, timeZone }: CodesProps) {
  return (
    <ListTable
      label={t("promotionCodes.title", { code: promotion })}
      heads={[
        { text: "promotionCodes.code" },
        { text: "promotionCodes.state" },
        { text: "promotionCodes.order" },
        { text: "promotionCodes.created" },
      ]}
    >
      {codes.map(({ code, state, orderId, usedAt, createdAt }) => (
        <tr key={code}>
          <td className="breaks">{code}</td>
          <td>
            <span className={`pill ${pills[state]}`}>{t(`promotionCodes.states.${state}`)}</span>
          </td>
          <td>
            {orderId !== null && (
              <a href={orderHref(orderId)}>
                {usedAt === null
                  ? orderId
                  : t("promotionCodes.orderAt", { order: orderId, time: localText(usedAt, timeZone) })}
              </a>
            )}
          </td>
          <td className="breaks" data-label={t("promotionCodes.created")}>
            {localText(createdAt, timeZone)}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function Actions({ actions, counts, newKey, proof, typed }: CodesProps) {
  return actions.map((action) => {
    const refused = typed?.action === action ? typed : null
    return (
      <ActionForm
        key={action}
        action={action}
        name={t(`promotionCodes.actions.${action}`)}
        now={codeCountsText(counts)}
        after={t(`promotionCodes.after.${action}`)}
        formKey={newKey()}
        seen=""
        refused={refused}
        proof={action === "withdraw-promotion-codes" ? null : proof}
        destroys={action === "withdraw-promotion-codes"}
      >
        {action === "generate-promotion-codes" && (
          <>
            <TextField
              id="count"
              name="count"
              label={t("promotionCodes.count")}
              value={refused?.typed.count}
              inputMode="numeric"
              maxLength={6}
            />
            <TextField
              id="prefix"
              name="prefix"
              label={t("promotionCodes.prefix")}
              value={refused?.typed.prefix}
              maxLength={20}
              isOptional
            />
            <p>
              <small>{t("promotionCodes.prefixHint")}</small>
            </p>
          </>
        )}
        {action === "withdraw-promotion-codes" && (
          <TextField
            id="withdrawn"
            name="beginning"
            label={t("promotionCodes.withdrawn")}
            value={refused?.beginning}
            maxLength={64}
            isOptional
          />
        )}
      </ActionForm>
    )
  })
}
