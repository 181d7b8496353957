import { Form } from "react-router"
import { useTranslation } from "~/i18n/use-translation"

/** Button that cancels the order and returns to the checkout with the selection. */
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
