import resultWords from "../../words/en/result.json";
import { moneyText, timeText, useWords } from "../../words/index.ts";
import type { Filter } from "./filter.ts";
import type { WholeResult } from "./service.ts";
import { isCounted, useInsight } from "./use-insight.ts";

type SumProps = { readonly botId: string; readonly filter: Filter };

/**
 * Shows the sum of all payments by currency. Hidden if the results are filtered by anything other than time and
 * version, because no sum is available then.
 */
export function PaymentSum(props: SumProps) {
  return isCounted(props.filter) ? <KnownSum {...props} /> : null;
}

function KnownSum({ botId, filter }: SumProps) {
  const words = useWords(resultWords);
  const { payments = [] } = useInsight(botId, filter) ?? {};
  if (payments.length === 0) return null;
  const sums = payments.map(({ amount, currency }) => moneyText(amount, currency));
  return <p class="results-muted">{words.paidSum({ sums: sums.join(" + ") })}</p>;
}

/** Lists the payments of a result with their states. */
export function PaymentFacts({ payments = [] }: { readonly payments?: WholeResult["result"]["payments"] }) {
  const words = useWords(resultWords);
  if (payments.length === 0) return null;
  return (
    <>
      <h3>{words.payments}</h3>
      <dl class="results-facts">
        {payments.map(({ id, amount, currency, status, updatedAt, isLinked }) => (
          <div key={id}>
            <dt>{timeText(updatedAt)}</dt>
            <dd>
              {[moneyText(amount, currency), words.paymentStates[status], isLinked && words.isLinked]
                .filter(Boolean)
                .join(" · ")}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
