import { problemId, useProblemsWithin } from "./fields";

/** The errors of a row, below it. */
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
