/** The screen of lessons: the list, or a step of one of them. */
import { lazy, use, useEffect } from "react";
import { encodePermalink } from "../../model/permalink/permalink";
import { entryOf } from "../../state/learn/state";
import { LessonList } from "../../views/learn/LessonList";
import { useActions, useApp } from "../context";
import { useSpoken } from "../language/spoken";
import { useLoaded } from "../shared/useLoaded";
import { ExerciseLinks } from "../exercise/ExerciseLinks";
import { Lesson } from "./Lesson";
import { loadLearn } from "./texts";
import "../../views/learn/learn.css";
import "../../views/learn/question.css";
import "../../views/learn/picture.css";
import "../../views/learn/phone.css";
import "../../views/learn/lit.css";

const ExerciseScreen = lazy(() =>
  import("../exercise/ExerciseScreen").then((module) => ({
    default: module.ExerciseScreen,
  })),
);

export function LearnScreen() {
  const exercise = useApp((state) => state.exercise);
  return exercise ? <ExerciseScreen exercise={exercise} /> : <Lessons />;
}

function Lessons() {
  const learn = useApp((state) => state.learn);
  const actions = useLoaded(useActions().learn);
  const { language } = useSpoken();
  const say = use(loadLearn(language));
  useEffect(() => void actions?.speak(language), [actions, language]);
  if (!learn || !actions) return <div className="learn" />;
  const entry = entryOf(learn, learn.at?.lesson);
  if (learn.at && entry)
    return <Lesson {...{ say, learn, entry, actions }} at={learn.at} />;
  return (
    <LessonList
      say={say}
      lessons={learn.lessons.map(({ lesson, text, language }) => ({
        language,
        id: lesson.id,
        title: text.title,
        idea: text.idea,
        minutes: lesson.minutes,
        short: lesson.short,
        steps: lesson.steps.length,
        questions: lesson.steps.filter(({ ask }) => ask).length,
      }))}
      progress={learn.progress}
      problems={[
        ...(learn.unknown === undefined
          ? []
          : [say("noLesson", { lesson: learn.unknown })]),
        ...(learn.badFile === undefined
          ? []
          : [say("noProgress", { file: learn.badFile })]),
        ...learn.problems,
      ]}
      linkTo={(lesson, step) =>
        `#${encodePermalink({ screen: "learn", lesson, step })}`
      }
      onForget={() => void actions.forget()}
      more={<ExerciseLinks />}
      onSave={actions.saveProgress}
      onLoad={(file) => void actions.loadProgress(file)}
    />
  );
}
