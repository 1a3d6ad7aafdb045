import { call, useQuery } from "../../api/index.ts";
import { moneyText, timeText, useWords } from "../../words/index.ts";
import { resultWords } from "../../words/results.ts";
import { type Filter, noFilter, queryOf } from "./filter.ts";
import type { WholeResult } from "./service.ts";

type SumProps = { readonly botId: string; readonly filter: Filter };

/** The sum of all payments by currency. It is known for times and versions; behind other filters nothing is shown. */
export function PaymentSum(props: SumProps) {
  const { state, text, variables } = props.filter;
  if (state !== noFilter.state || text !== "" || variables.length > 0) return null;
  return <KnownSum {...props} />;
}

function KnownSum({ botId, filter }: SumProps) {
  const words = useWords(resultWords);
  const { publicationNumber: version, order: _, ...window } = queryOf({ ...filter, order: noFilter.order });
  const query = { ...window, ...(version !== undefined && { version }) };
  const { value } = useQuery(`insight/${botId}/${JSON.stringify(query)}`, () =>
    call("GET /api/v1/bots/:botId/insight", { path: { botId }, query }),
  );
  const payments = value?.insight.payments ?? [];
  if (payments.length === 0) return null;
  const sums = payments.map(({ amount, currency }) => moneyText(amount, currency));
  return <p class="results-muted">{words.paidSum(sums.join(" + "))}</p>;
}

/** The payments of a result, each with its state. */
export function PaymentFacts({ payments = [] }: { readonly payments?: WholeResult["result"]["payments"] }) {
  const words = useWords(resultWords);
  if (payments.length === 0) return null;
  return (
    <>
      <h3>{words.payments}</h3>
      <dl class="results-facts">
        {payments.map(({ id, amount, currency, status, updatedAt }) => (
          <div key={id}>
            <dt>{timeText(updatedAt)}</dt>
            <dd>{`${moneyText(amount, currency)} · ${words.paymentStates[status]}`}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
