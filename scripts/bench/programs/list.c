#include <stdio.h>
#include <stdlib.h>
struct node{struct node*next;long v;};
int main(void){ int n=200000; struct node**all=malloc(n*sizeof*all);
 for(int i=0;i<n;i++)all[i]=malloc(sizeof(struct node));
 unsigned s=1; for(int i=n-1;i>0;i--){s=s*1664525u+1013904223u;int j=s%(i+1);struct node*t=all[i];all[i]=all[j];all[j]=t;}
 for(int i=0;i<n;i++){all[i]->next=all[(i+1)%n];all[i]->v=i;}
 struct node*p=all[0];long sum=0;for(int i=0;i<6000000;i++){sum+=p->v;p=p->next;}
 printf("%ld\n",sum); }
