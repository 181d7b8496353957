import type { CodeCounts, PromotionDetails } from "~/billing/catalogue/promotion-admin"
import type { OrderListItem } from "~/billing/orders/order-search"
import type { Day } from "~/domain/calendar"
import type { TypedPromotion } from "~/domain/forms/typed-promotion"
import { localText } from "~/domain/local-time"
import { needsProof } from "~/domain/operators/operator"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { Fact } from "../list-parts.server"
import { OrderTable } from "../orders/orders-screen.server"
import { PromotionFields } from "./promotion-fields.server"
import {
  codeCountsText,
  discountText,
  type NamedProduct,
  PromotionPill,
  productsText,
  promotionCodesHref,
  usesText,
  validityText,
} from "./promotion-parts.server"

type Action = "switch-off-promotion" | "switch-on-promotion" | "edit-promotion"

type PromotionProps = {
  promotion: PromotionDetails
  products: readonly NamedProduct[]
  today: Day
  /** The newest with its code. */
  orders: readonly OrderListItem[]
  /** What the role of who asks and the state allow. */
  actions: readonly Action[]
  codes: CodeCounts
  /** What the form to change it shows. */
  value: TypedPromotion
  seen: string
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: { readonly action: Action; readonly typed: TypedPromotion; readonly reason: string } | null
  timeZone: string
}

/** A promotion: all of it, the newest orders with it, and what may be done. */
export function PromotionScreen(props: PromotionProps) {
  const { promotion, today, notice } = props
  return (
    <>
      <div className="title">
        <h1 className="breaks">{promotion.code}</h1>
        <PromotionPill promotion={promotion} today={today} />
      </div>
      <FormNotice notice={notice} />
      <div className="with-side">
        <div>
          <section className="card">
            <Facts {...props} />
          </section>
          <Orders {...props} />
          <Codes {...props} />
        </div>
        <div>
          <Actions {...props} />
        </div>
      </div>
      <p>
        <a href={consoleHref("/admin/promotions")}>{t("promotions.toList")}</a>
      </p>
    </>
  )
}

function Facts({ promotion, products, timeZone }: PromotionProps) {
  const { usesPerPerson, cycles, renewals, offSince } = promotion
  return (
    <dl className="facts">
      <Fact name="promotions.gives">{discountText(promotion)}</Fact>
      <Fact name="promotions.products">{productsText(promotion, products)}</Fact>
      <Fact name="promotions.cycles">
        {cycles === undefined ? t("promotions.allCycles") : cycles.join(", ")}
      </Fact>
      <Fact name="promotions.renewals">{renewalsText(renewals)}</Fact>
      <Fact name="promotions.validity">{validityText(promotion)}</Fact>
      <Fact name="promotions.uses">{usesText(promotion)}</Fact>
      <Fact name="promotions.perPerson">{usesPerPerson ?? t("promotions.anyNumber")}</Fact>
      {offSince !== null && <Fact name="promotions.offSince">{localText(offSince, timeZone)}</Fact>}
    </dl>
  )
}

function renewalsText(renewals: PromotionDetails["renewals"]): string {
  if (renewals === "all") return t("promotions.allRenewals")
  return renewals ? String(renewals) : t("promotions.noRenewals")
}

function Orders({ promotion, orders, timeZone }: PromotionProps) {
  return (
    <section className="card">
      <h2>{t("promotions.orders")}</h2>
      {orders.length === 0 ? (
        <p>{t("promotions.noOrders")}</p>
      ) : (
        <>
          <OrderTable orders={orders} timeZone={timeZone} />
          <p>
            <a href={consoleHref(`/admin/orders?promotion=${encodeURIComponent(promotion.code)}`)}>
              {t("promotions.allOrders")}
            </a>
          </p>
        </>
      )}
    </section>
  )
}

function Codes({ promotion, codes }: PromotionProps) {
  return (
    <section className="card">
      <h2>{t("promotions.codesTitle")}</h2>
      <p>{codeCountsText(codes)}</p>
      <p>
        <a href={promotionCodesHref(promotion.code)}>{t("promotionCodes.manage")}</a>
      </p>
    </section>
  )
}

function Actions({
  promotion,
  products,
  actions,
  value,
  seen,
  newKey,
  proof,
  typed,
  timeZone,
}: PromotionProps) {
  const { offSince } = promotion
  const now =
    offSince === null
      ? t("promotions.now", {
          discount: discountText(promotion),
          validity: validityText(promotion).toLowerCase(),
          uses: usesText(promotion),
        })
      : `${t("promotions.offSince")} ${localText(offSince, timeZone)}`
  return (
    <section className="card">
      <h2>{t("action.title")}</h2>
      {actions.length === 0 && <p>{t("action.nothing")}</p>}
      {actions.map((action) => {
        const refused = typed?.action === action ? typed : null
        return (
          <ActionForm
            key={action}
            action={action}
            name={t(`promotions.actions.${action}`)}
            now={now}
            after={t(`promotions.after.${action}`)}
            formKey={newKey()}
            seen={seen}
            refused={refused}
            proof={needsProof(action) ? proof : null}
          >
            {action === "edit-promotion" && (
              <PromotionFields form="edit" value={refused?.typed ?? value} products={products} />
            )}
          </ActionForm>
        )
      })}
    </section>
  )
}
