import { problemId, useProblemsWithin } from "./fields";

/** What is wrong in a row, right below it. */
export function RowProblems({ path }: { readonly path: string }) {
  const problems = useProblemsWithin(path);
  return (
    <>
      {problems.map(({ field, message }) => (
        <p key={field} id={problemId(field)} className="problem" role="alert">
          {message}
        </p>
      ))}
    </>
  );
}
