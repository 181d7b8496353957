import { Form } from "react-router"
import { useTranslation } from "~/i18n/use-translation"

/** Gives the order up and leads back to the checkout, filled in. */
export function ChangeOrder() {
  const { t } = useTranslation()
  return (
    <Form method="post">
      <button className="quiet" name="intent" value="edit">
        {t("review.change")}
      </button>
    </Form>
  )
}
